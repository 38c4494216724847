// SPDX-License-Identifier: GPL-3.0-only
#include "ui/experiment/check_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QTableWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/export/exhibit.h"
#include "ui/look/parts.h"
#include "ui/look/plain_text.h"
#include "ui/look/theme.h"
#include "ui/look/work_bar.h"

namespace lanelab {

CheckDialog::CheckDialog(std::shared_ptr<const Resolution> resolution, EqualityCheck check, QWidget* parent)
    : QDialog(parent),
      m_headline(look::wrappedLabel("checkHeadline", tr("Training each variant and its reference"), this)),
      m_table(new QTableWidget(this)),
      m_notes(look::wrappedLabel("", {}, this)) {
  setObjectName(QStringLiteral("checkDialog"));
  setWindowTitle(tr("Check Against a Single Device"));
  resize(920, 280);
  m_headline->setFont(look::headlineFont());
  look::setUpTable(*m_table, "checkTable", tr("Each variant against its reference"));
  m_table->horizontalHeader()->setStretchLastSection(true);
  offerTable(m_table, "check", tr("Check"));
  m_table->hide();
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* column = look::dialogColumn(this);
  column->addWidget(m_headline);
  column->addWidget(m_table, 1);
  column->addWidget(m_notes);
  column->addStretch();
  column->addWidget(new WorkBar(QStringLiteral("checkProgress"), WorkBar::Shape::Stacked, this, &m_training));
  column->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  const int steps = std::min(resolution->experiment().data.steps, kCheckedSteps);
  m_training.run([this, resolution = std::move(resolution), steps,
                  check = std::move(check)](const WorkControl& control) -> LongWork::Then {
    return [this, report = std::make_shared<Result<EqualityReport>>(check(*resolution, steps, control))] {
      show(*report);
    };
  });
}

void CheckDialog::show(const Result<EqualityReport>& report) {
  if (!report.ok()) return m_headline->setText(look::shownText(report.error()));
  const auto rows = equalityRows(*report);
  m_table->setColumnCount(static_cast<int>(rows.front().size()));
  m_table->setRowCount(static_cast<int>(rows.size()) - 1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const QString text = look::shownText(rows[row][column]);  // the command line's titles begin with small letters
      auto* item = new QTableWidgetItem(row == 0 ? look::capitalised(text) : text);
      if (row == 0)
        m_table->setHorizontalHeaderItem(static_cast<int>(column), item);
      else
        m_table->setItem(static_cast<int>(row) - 1, static_cast<int>(column), item);
    }
  }
  m_table->show();
  const Status outcome = equalityStatus(*report);
  m_headline->setText(outcome.ok()
                          ? tr("All variants equal their reference after %n step(s), measured.", nullptr, report->steps)
                          : look::shownText(outcome.error()));
  QStringList notes = {tr("A difference is |a - b| / |b| of the tensor farthest off.")};
  for (const std::string& note : report->notes) notes << look::shownText(note);
  m_notes->setText(notes.join(QLatin1Char(' ')));
}

}  // namespace lanelab
