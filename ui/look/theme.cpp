// SPDX-License-Identifier: GPL-3.0-only
#include "ui/look/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QPainter>
#include <QPalette>
#include <QProxyStyle>
#include <QStyleOptionToolButton>
#include <QToolTip>
#include <algorithm>

#include "ui/look/icons.h"
#include "ui/look/plain_text.h"

// Outside every namespace, as the macro declares a function of the global one.
static void loadResources() { Q_INIT_RESOURCE(resources); }

namespace lanelab::look {
namespace {

constexpr int kTextPixels = 13;
constexpr int kLeastTextPixels = 9;
constexpr int kMostTextPixels = 24;
constexpr int kSmallPixels = 11;
constexpr int kHeadlinePixels = 17;
constexpr int kTabMark = 3;
constexpr int kMenuArrow = 4 * kGrid;  ///< room behind the text of a button that opens a menu

/// Fusion without moving parts: nothing blinks or fades, so a picture of the window is the same every time.
class CalmStyle : public QProxyStyle {
 public:
  CalmStyle() : QProxyStyle(QStringLiteral("Fusion")) {}

  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override {
    if (hint == SH_Widget_Animation_Duration || hint == SH_Widget_Animate) return 0;
    if (hint == SH_ToolTip_WakeUpDelay) return 500;
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) return 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
  }

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
    if (metric == PM_SmallIconSize || metric == PM_ButtonIconSize) return 4 * kGrid;
    if (metric == PM_ToolBarIconSize) return 5 * kGrid;
    if (metric == PM_TabBarTabHSpace) return 5 * kGrid;  // so that all ten panes below have their tabs at 1440 pixels
    return QProxyStyle::pixelMetric(metric, option, widget);
  }

  /// Boxes and file dialogs have the icons of the window, too.
  QIcon standardIcon(StandardPixmap what, const QStyleOption* option, const QWidget* widget) const override {
    const char* const name = ownIcon(what);
    return name ? icon(QLatin1String(name)) : QProxyStyle::standardIcon(what, option, widget);
  }

  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                         const QWidget* widget) const override {
    const QSize hint = QProxyStyle::sizeFromContents(type, option, size, widget);
    return type == CT_ToolButton && opensMenu(option) ? hint + QSize(kMenuArrow, 0) : hint;
  }

  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
    if (element == PE_FrameFocusRect && current().high_contrast) return ring(option->rect, *painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_FrameLineEdit || element == PE_PanelButtonCommand || isMark(element)) outline(*option, *painter);
  }

  /// On black the selected tab needs more than a lighter shade.
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override {
    QProxyStyle::drawControl(element, option, painter, widget);
    const bool selected = element == CE_TabBarTabShape && (option->state & State_Selected);
    if (!selected || !current().high_contrast) return;
    const QRect& tab = option->rect;
    painter->fillRect(QRect(tab.left(), tab.top(), tab.width(), kTabMark), current().accent);
  }

  /// Fusion would put the arrow below the text, into the corner.
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override {
    if (control != CC_ToolButton || !opensMenu(option)) {
      QProxyStyle::drawComplexControl(control, option, painter, widget);
      if (control == CC_SpinBox || control == CC_ComboBox) outline(*option, *painter);
      if (current().high_contrast && control == CC_ScrollBar)
        outlinePart(*option, SC_ScrollBarSlider, *painter, widget);
      if (current().high_contrast && control == CC_Slider) outlinePart(*option, SC_SliderHandle, *painter, widget);
      return;
    }
    QStyleOptionToolButton plain(*qstyleoption_cast<const QStyleOptionToolButton*>(option));
    plain.features &= ~QStyleOptionToolButton::HasMenu;
    QProxyStyle::drawComplexControl(control, &plain, painter, widget);
    QStyleOption arrow(*option);
    arrow.rect = QRect(option->rect.right() - kMenuArrow, option->rect.center().y() - kMenuArrow / 4, kMenuArrow / 2,
                       kMenuArrow / 2);
    drawPrimitive(PE_IndicatorArrowDown, &arrow, painter, widget);
  }

 private:
  /// What needs an edge on black, where Fusion has a shadow.
  static bool isMark(PrimitiveElement element) {
    return current().high_contrast && (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck ||
                                       element == PE_FrameGroupBox || element == PE_FrameMenu);
  }

  /// The handle of a slider or a scroll bar.
  void outlinePart(const QStyleOptionComplex& option, SubControl part, QPainter& painter, const QWidget* widget) const {
    const ComplexControl control = part == SC_SliderHandle ? CC_Slider : CC_ScrollBar;
    QStyleOption handle(option);
    handle.state &= ~State_HasFocus;
    handle.rect = subControlRect(control, &option, part, widget);
    outline(handle, painter);
  }

  /// Round what has the keyboard.
  static void ring(const QRect& rect, QPainter& painter) {
    const PainterScope scope(painter, /*antialiased=*/true);
    painter.setPen(current().focusRing());
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), 2, 2);
  }

  /// Fusion's borders are darker than the window, which on a dark window is no border at all.
  static void outline(const QStyleOption& option, QPainter& painter) {
    const bool focused = option.state & State_HasFocus;
    if (focused && current().high_contrast) return ring(option.rect, painter);
    if (focused || !current().dark) return;
    const bool enabled = option.state & State_Enabled;
    const PainterScope scope(painter, /*antialiased=*/true);
    const QColor edge = current().high_contrast ? current().text : mix(current().window, current().text, 0.4);
    painter.setPen(enabled ? edge : current().line);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
  }

  static const char* ownIcon(StandardPixmap what) {
    switch (what) {
      case SP_MessageBoxInformation: return "info";
      case SP_MessageBoxQuestion: return "help";
      case SP_MessageBoxWarning:
      case SP_MessageBoxCritical: return "warning";
      case SP_ArrowBack: return "previous";
      case SP_ArrowForward: return "next";
      case SP_FileDialogToParent: return "up";
      case SP_FileDialogNewFolder: return "plus";
      case SP_FileDialogListView: return "lanes";
      case SP_FileDialogDetailedView: return "table";
      case SP_DirIcon:
      case SP_DirOpenIcon:
      case SP_DirHomeIcon: return "open";
      case SP_FileIcon: return "new";
      case SP_DriveHDIcon:
      case SP_ComputerIcon: return "cpu";
      case SP_TrashIcon: return "trash";
      default: return nullptr;
    }
  }

  static bool opensMenu(const QStyleOption* option) {
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    return button && button->features.testFlag(QStyleOptionToolButton::HasMenu) &&
           !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
  }
};

QPalette widgetPalette(const Palette& p) {
  QPalette q;
  q.setColor(QPalette::Window, p.window);
  q.setColor(QPalette::WindowText, p.text);
  q.setColor(QPalette::Base, p.surface);
  q.setColor(QPalette::AlternateBase, mix(p.surface, p.window, 0.6));
  q.setColor(QPalette::Text, p.text);
  q.setColor(QPalette::PlaceholderText, p.muted_text);
  q.setColor(QPalette::Button, p.dark ? mix(p.window, Qt::white, 0.07) : mix(p.window, Qt::white, 0.5));
  q.setColor(QPalette::ButtonText, p.text);
  q.setColor(QPalette::BrightText, p.error);
  q.setColor(QPalette::Highlight, p.accent);
  q.setColor(QPalette::HighlightedText, inkOn(p.accent));
  q.setColor(QPalette::Link, p.accent);
  q.setColor(QPalette::LinkVisited, p.accent);
  q.setColor(QPalette::ToolTipBase, p.surface);
  q.setColor(QPalette::ToolTipText, p.text);
  q.setColor(QPalette::Light, p.dark ? mix(p.window, Qt::white, 0.12) : QColor(Qt::white));
  q.setColor(QPalette::Midlight, mix(p.window, p.surface, 0.5));
  q.setColor(QPalette::Mid, p.line);
  q.setColor(QPalette::Dark, mix(p.line, p.text, 0.25));
  q.setColor(QPalette::Shadow, p.dark ? QColor(Qt::black) : mix(p.line, p.text, 0.5));
  const QColor faint = p.pale(p.muted_text, 0.4);
  for (const QPalette::ColorRole role :
       {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
    q.setColor(QPalette::Disabled, role, faint);
  }
  // Fainter than a value that is disabled, so that nobody takes it for one.
  q.setColor(QPalette::Disabled, QPalette::PlaceholderText, mix(p.muted_text, p.window, 0.65));
  q.setColor(QPalette::Disabled, QPalette::Highlight, p.line);
  q.setColor(QPalette::Disabled, QPalette::Base, p.window);
  return q;
}

/// From here on a desktop's text asks for high contrast: Qt's own black on light grey has 18:1.
constexpr double kAskedContrast = 20;

/// What "System" means: the palette that the desktop gave at the start decides.
Scheme systemScheme(const QApplication& app) {
  static const Scheme scheme = schemeOf(app.palette());
  return scheme;
}

const Palette& paletteOf(Scheme scheme) {
  switch (scheme) {
    case Scheme::Dark: return darkPalette();
    case Scheme::HighContrast: return highContrastPalette();
    default: return lightPalette();
  }
}

const Palette*& applied() {
  static const Palette* palette = &lightPalette();
  return palette;
}

QString fontFamily() {
  static const QString family = [] {
    loadResources();
    QString name;
    for (const char* file : {":/lanelab/fonts/Roboto-Bold.ttf", ":/lanelab/fonts/Roboto-Regular.ttf"}) {
      const int id = QFontDatabase::addApplicationFont(QString::fromLatin1(file));
      const QStringList families = QFontDatabase::applicationFontFamilies(id);
      if (!families.isEmpty()) name = families.first();
    }
    return name;
  }();
  return family;
}

/// Of texts at the base size.
int& textPixels() {
  static int pixels = kTextPixels;
  return pixels;
}

/// Without a desktop there is nothing to follow.
bool hasDesktop() {
  const QString platform = QGuiApplication::platformName();
  return platform != QLatin1String("offscreen") && platform != QLatin1String("minimal");
}

/// Pixel sizes, not points: a picture at 300 dpi scales the painter, and points would be scaled twice.
QFont fontOf(int pixels, bool bold = false) {
  QFont font(fontFamily());
  font.setPixelSize(qRound(static_cast<double>(pixels) * textPixels() / kTextPixels));
  font.setBold(bold);
  font.setHintingPreference(QFont::PreferNoHinting);
  font.setStyleStrategy(QFont::PreferAntialias);
  return font;
}

}  // namespace

const Palette& current() { return *applied(); }

Scheme schemeOf(const QPalette& desktop) {
  const auto stands_out = [&](QPalette::ColorRole text, QPalette::ColorRole behind) {
    return contrast(desktop.color(text), desktop.color(behind)) >= kAskedContrast;
  };
  if (stands_out(QPalette::WindowText, QPalette::Window) && stands_out(QPalette::Text, QPalette::Base))
    return Scheme::HighContrast;
  return desktop.color(QPalette::Window).lightness() < 128 ? Scheme::Dark : Scheme::Light;
}

void apply(QApplication& app, Scheme scheme) {
  const Scheme of_system = systemScheme(app);  // before the palette is ours
  static bool styled = false;
  if (!styled) {
    app.setStyle(new CalmStyle);
    app.setFont(textFont());
    QToolTip::setFont(textFont());
    showTextsPlain(app);
    styled = true;
  }
  applied() = &paletteOf(scheme == Scheme::System ? of_system : scheme);
  app.setPalette(widgetPalette(current()));
  QToolTip::setPalette(app.palette());
}

void setFontSize(int points) {
  QFont font = QApplication::font();
  if (points > 0) font.setPointSize(points);
  if (points > 0 || hasDesktop())
    textPixels() = std::clamp(QFontInfo(font).pixelSize(), kLeastTextPixels, kMostTextPixels);
}

QFont textFont() { return fontOf(kTextPixels); }
QFont smallFont() { return fontOf(kSmallPixels); }
QFont headlineFont() { return fontOf(kHeadlinePixels, true); }
QFont bold(QFont font) {
  font.setBold(true);
  return font;
}
QFont numberFont() { return fontOf(kTextPixels); }  // Roboto's figures all have one width

}  // namespace lanelab::look
