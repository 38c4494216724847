// The timeline of a report: draws the spans that lie beside this script, without network. See profiler/io/html/timeline_html.h for their format.
(function (place) {
  "use strict";
  const data = JSON.parse(place.querySelector('script[type="application/json"]').textContent);
  const canvas = place.querySelector("canvas"), tip = place.querySelector(".tip"), said = place.querySelector(".said");
  const context = canvas.getContext("2d");
  const kLabel = 170, kAxis = 22, kHeights = { compute: 20, stream: 16, idle: 10, transfer: 8, host: 8, detail: 10, step: 12 }, kDeepest = 8;
  const kPhases = { F: "#0072b2", B: "#009e73", I: "#56b4e9", W: "#66c2a5", U: "#cc79a7" };
  const kCauses = {
    fill: "#d9b38c", drain: "#e6d7a8", imbalance: "#d55e00", jitter: "#e69f00", transfer_queued: "#b07aa1", transfer: "#9c6ade", communication: "#8a5a44", data: "#c44e52",
    sync: "#7f7f7f", allocator: "#aaaa55", host: "#937860", contention: "#da8bc3", profiler: "#8c8c8c", unresolved: "#bbbbbb", evaluation: "#64b5cd" };
  const kOthers = ["#4c72b0", "#55a868", "#8172b3", "#937860", "#64b5cd", "#ccb974", "#dd8452", "#7f9f7f"];
  let rows = [], from = 0, to = data.length_ns || 1, waiting = false, height = 100;

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }

  // Rows of levels: of nested spans each level has none that overlap, so that what is in sight is found by halving.
  function decoded(bytes) {
    let at = 0;
    const number = () => {
      let value = 0, factor = 1, byte;
      do {
        byte = bytes[at++];
        value += (byte & 127) * factor;
        factor *= 128;
      } while (byte & 128);
      return value;
    };
    return data.rows.map((row) => {
      const n = row.spans, start = new Float64Array(n), end = new Float64Array(n), named = new Uint32Array(n), levels = [];
      const category = new Uint8Array(n), phase = new Uint8Array(n), step = new Int32Array(n), stage = new Int16Array(n), part = new Int16Array(n);
      const ends = [];
      let now = 0;
      for (let i = 0; i < n; ++i) {
        now += number();
        start[i] = now;
        end[i] = now + number();
        named[i] = number();
        category[i] = bytes[at++];
        phase[i] = bytes[at++];
        step[i] = number() - 1;
        stage[i] = number() - 1;
        part[i] = number() - 1;
        let level = 0;
        while (level < ends.length && ends[level] > now && level < kDeepest - 1) ++level;
        ends[level] = Math.max(end[i], ends[level] || 0);
        (levels[level] = levels[level] || []).push(i);
      }
      return { ...row, start, end, named, category, phase, step, stage, part, levels: levels.map((level) => Uint32Array.from(level)) };
    });
  }

  // A cause has the same colour in all timelines.
  const causeColors = data.names.map((name) => kCauses[name.replace("idle: ", "")] || "#bbbbbb");

  function colorOf(row, i) {
    if (row.kind === "idle") return causeColors[row.named[i]];
    return kPhases[String.fromCharCode(row.phase[i])] || kOthers[(row.category[i] * 5 + row.named[i]) % kOthers.length];
  }

  // The first of a level that ends after a time.
  function firstAfter(row, level, time, low) {
    let high = level.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (row.end[level[middle]] > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // At most one span per pixel and level is drawn, so a frame takes as long for a million spans as for a thousand.
  function drawLevel(row, level, y, tall, wide) {
    const scale = wide / (to - from);
    let i = firstAfter(row, level, from, 0);
    while (i < level.length && row.start[level[i]] < to) {
      const span = level[i], left = Math.max(0, (row.start[span] - from) * scale), right = Math.min(wide, (row.end[span] - from) * scale);
      context.fillStyle = colorOf(row, span);
      context.fillRect(kLabel + left, y, Math.max(1, right - left - (right - left > 4 ? 1 : 0)), tall - 1);
      if (right - left > 34 && tall > 9) {
        context.fillStyle = "#ffffff";
        context.save();
        context.beginPath();
        context.rect(kLabel + left, y, right - left - 2, tall);
        context.clip();
        context.fillText(data.names[row.named[span]], kLabel + left + 3, y + tall / 2);
        context.restore();
      }
      i = right - left < 1 ? Math.max(i + 1, firstAfter(row, level, from + (Math.floor(left) + 1) / scale, i)) : i + 1;
    }
  }

  function timeText(ns) {
    const size = Math.abs(ns);
    return size >= 1e9 ? (ns / 1e9).toPrecision(4) + " s" : size >= 1e6 ? (ns / 1e6).toPrecision(4) + " ms" : size >= 1e3 ? (ns / 1e3).toPrecision(4) + " \u00b5s" : ns + " ns";
  }

  function layOut() {
    let y = kAxis, lane = null;
    for (const row of rows) {
      if (row.lane !== lane) y += 6;
      lane = row.lane;
      row.y = y;
      row.tall = kHeights[row.kind] || 10;
      y += row.tall * Math.max(1, row.levels.length) + 1;
    }
    height = y + 4;
  }

  function draw() {
    waiting = false;
    const wide = Math.max(100, canvas.clientWidth - kLabel), sharp = window.devicePixelRatio || 1, style = getComputedStyle(place);
    canvas.style.height = height + "px";
    if (canvas.width !== Math.round(canvas.clientWidth * sharp) || canvas.height !== Math.round(height * sharp)) {
      canvas.width = Math.round(canvas.clientWidth * sharp);
      canvas.height = Math.round(height * sharp);
    }
    const text = style.getPropertyValue("--text").trim(), soft = style.getPropertyValue("--soft").trim(), line = style.getPropertyValue("--line").trim();
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = style.getPropertyValue("--ground").trim();
    context.fillRect(0, 0, canvas.clientWidth, height);
    const tick = Math.pow(10, Math.floor(Math.log10((to - from) / 4)));
    const every = (to - from) / tick > 20 ? 5 * tick : (to - from) / tick > 8 ? 2 * tick : tick;
    for (let time = Math.ceil(from / every) * every; time < to; time += every) {
      const x = kLabel + ((time - from) * wide) / (to - from);
      context.fillStyle = line;
      context.fillRect(x, 0, 1, height);
      context.fillStyle = soft;
      context.fillText(timeText(time), x + 3, kAxis / 2);
    }
    let lane = null;
    for (const row of rows) {
      row.levels.forEach((level, depth) => drawLevel(row, level, row.y + depth * row.tall, row.tall, wide));
      context.fillStyle = row.lane === lane ? soft : text;
      context.save();
      context.beginPath();
      context.rect(0, row.y - 2, kLabel - 6, row.tall + 6);
      context.clip();
      context.fillText(row.lane === lane ? row.name : row.lane, row.lane === lane ? 14 : 4, row.y + row.tall / 2);
      context.restore();
      lane = row.lane;
    }
  }

  function redraw() {
    if (!waiting) requestAnimationFrame(draw);
    waiting = true;
  }

  function show(begin, end) {
    const length = Math.min(Math.max(end - begin, 10), data.length_ns || 1);
    from = Math.min(Math.max(0, begin), (data.length_ns || 1) - length);
    to = from + length;
    redraw();
  }
  const zoom = (factor, share) => {
    const center = from + (to - from) * share;
    show(center - (center - from) * factor, center + (to - center) * factor);
  };
  const pan = (share) => show(from + (to - from) * share, to + (to - from) * share);

  function spanAt(event) {
    const box = canvas.getBoundingClientRect(), x = event.clientX - box.left - kLabel, y = event.clientY - box.top;
    if (x < 0) return null;
    const time = from + (x * (to - from)) / Math.max(100, canvas.clientWidth - kLabel);
    for (const row of rows) {
      const depth = Math.floor((y - row.y) / row.tall);
      if (y < row.y || depth >= row.levels.length) continue;
      const level = row.levels[depth], i = firstAfter(row, level, time, 0);
      return i < level.length && row.start[level[i]] <= time ? { row, span: level[i] } : null;
    }
    return null;
  }

  function described({ row, span }) {
    const lines = [data.names[row.named[span]], row.lane + (row.name ? ", " + row.name : "")];
    lines.push(timeText(row.end[span] - row.start[span]) + ", at " + timeText(row.start[span]));
    const parts = [["step", row.step[span] >= 0 ? row.step[span] + 1 : -1], ["stage", row.stage[span]], ["micro-batch", row.part[span]]];
    const known = parts.filter(([, value]) => value >= 0).map(([word, value]) => word + " " + value);
    if (known.length) lines.push(known.join(", "));
    lines.push(row.kind === "idle" ? "why the lane computed nothing" : data.categories[row.category[span]]);
    return lines.join("\n");
  }

  let dragged = null, moved = false;
  canvas.addEventListener("pointerdown", (event) => {
    dragged = { x: event.clientX, from, to };
    moved = false;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (dragged) {
      const by = ((dragged.x - event.clientX) * (dragged.to - dragged.from)) / Math.max(100, canvas.clientWidth - kLabel);
      moved = moved || Math.abs(dragged.x - event.clientX) > 3;
      show(dragged.from + by, dragged.to + by);
      return;
    }
    const found = spanAt(event), box = canvas.getBoundingClientRect();
    tip.style.display = found ? "block" : "none";
    if (!found) return;
    tip.textContent = described(found);
    tip.style.left = Math.min(event.clientX - box.left + 12, Math.max(0, box.width - 260)) + "px";
    tip.style.top = event.clientY - box.top + 14 + "px";
  });
  canvas.addEventListener("pointerup", (event) => {
    const found = dragged && !moved ? spanAt(event) : null;
    if (found) said.textContent = described(found).replaceAll("\n", "; ");
    dragged = null;
  });
  canvas.addEventListener("pointerleave", () => (tip.style.display = "none"));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = canvas.getBoundingClientRect();
    zoom(Math.exp(event.deltaY / 300), Math.min(1, Math.max(0, (event.clientX - box.left - kLabel) / (box.width - kLabel))));
  }, { passive: false });
  const keys = { w: () => zoom(0.7, 0.5), s: () => zoom(1 / 0.7, 0.5), a: () => pan(-0.2), d: () => pan(0.2), "0": () => show(0, data.length_ns) };
  Object.assign(keys, { "+": keys.w, "=": keys.w, "-": keys.s, arrowleft: keys.a, arrowright: keys.d, arrowup: keys.w, arrowdown: keys.s });
  canvas.addEventListener("keydown", (event) => {
    const key = keys[event.key.toLowerCase()];
    if (!key || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    key();
  });
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  unpacked(data.spans).then((bytes) => {
    rows = decoded(bytes);
    layOut();
    draw();
  }, () => (said.textContent = "This browser cannot unpack the spans. Open the page with Firefox 113 or Chrome 80, or later ones."));
})(document.currentScript.parentElement);
