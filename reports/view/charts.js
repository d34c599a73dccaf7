// Plots over time, as SVG: signals, lives of processes, traffic. All share the axis of time.

const WIDTH = 900, LEFT = 84, RIGHT = 12, HEAD = 17, PLOT = WIDTH - LEFT - RIGHT;
const NONE = 65535, TOP_CODE = 65534;

function svg(tag, attributes, text) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

// Two signals of a page may share a name: a promise and a quantity, say.
export const nameOf = signal => (signal.kind === "field" ? signal.name : `${signal.kind}:${signal.name}`);

// The unit is what a name ends with: "torque_Nm[3]", "com_margin_mm", "state.joint[2].velocity_rad_s".
const UNITS = [["rad_s2", "rad/s²"], ["m_s2", "m/s²"], ["rad_s", "rad/s"], ["m_s", "m/s"], ["bit_s", "bit/s"], ["Nm", "N m"], ["nm", "N m"],
  ["rad", "rad"], ["deg", "°"], ["mm", "mm"], ["hz", "Hz"], ["ns", "ns"], ["us", "µs"], ["ms", "ms"], ["kg", "kg"], ["m", "m"], ["s", "s"],
  ["N", "N"], ["n", "N"], ["v", "V"], ["a", "A"], ["w", "W"], ["c", "°C"], ["g", "g"]];
function unitOf(signal) {
  if (signal.kind === "track" && !signal.name.includes("_")) return "°"; // a joint's angle
  const name = signal.name.replace(/\[\d+\]$/, "");
  const found = UNITS.find(([ending]) => name.endsWith(`_${ending}`));
  return signal.kind === "promise" ? "margin" : found ? found[1] : "";
}

const tidy = value => (value === 0 ? "0" : Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4))));

function ticks(least, greatest, count) {
  const span = greatest - least || 1;
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(n => n * power).find(n => n >= raw);
  const found = [];
  for (let i = Math.ceil(least / step - 1e-9); i * step <= greatest + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

const xOf = (data, t) => LEFT + (t / data.end) * PLOT;

// A frame with shaded faults, the axis of time, and a cursor that moves; a click sets the time. Above it is room for words.
function frame(root, data, height, setTime, withAxis) {
  const bottom = withAxis ? 30 : 6;
  root.setAttribute("viewBox", `0 ${-HEAD} ${WIDTH} ${height + bottom + HEAD}`);
  root.replaceChildren();
  for (const fault of data.faults) {
    const x = xOf(data, fault.from), to = fault.to === null ? data.end : fault.to;
    const shade = svg("rect", { class: "fault", x, y: 0, width: Math.max(xOf(data, to) - x, 2), height, fill: fault.colour, opacity: 0.16 });
    shade.append(svg("title", {}, `${fault.kind} of ${fault.component}, ${fault.from.toFixed(3)} to ${to.toFixed(3)} s: ${fault.evidence}`));
    root.append(shade);
  }
  for (const t of ticks(0, data.end, 10)) {
    root.append(svg("line", { class: "axis", x1: xOf(data, t), x2: xOf(data, t), y1: 0, y2: height }));
    if (withAxis) root.append(svg("text", { x: xOf(data, t), y: height + 13, "text-anchor": "middle" }, tidy(t)));
  }
  if (withAxis) root.append(svg("text", { x: LEFT + PLOT / 2, y: height + 26, "text-anchor": "middle" }, "time [s]"));
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
  root.onclick = event => {
    const box = root.getBoundingClientRect();
    setTime((((event.clientX - box.left) / box.width) * WIDTH - LEFT) / PLOT * data.end);
  };
  return { finish: () => root.append(cursor), move: t => { cursor.setAttribute("x1", xOf(data, t)); cursor.setAttribute("x2", xOf(data, t)); } };
}

// ---- signals --------------------------------------------------------------------------------------------------------

// Least and greatest value of each column, as arrays; NaN where there is none.
function decode(signal) {
  if (signal.low) return;
  signal.low = new Float64Array(signal.n).fill(NaN);
  signal.high = new Float64Array(signal.n).fill(NaN);
  const span = signal.greatest - signal.least;
  if (!signal.data) {
    if (signal.least !== null) [signal.low, signal.high].forEach(array => array.fill(signal.least));
    return;
  }
  const bytes = Uint8Array.from(atob(signal.data), letter => letter.charCodeAt(0));
  const codes = new DataView(bytes.buffer);
  for (let i = 0; i < signal.n; i++) {
    const low = codes.getUint16(4 * i, true), high = codes.getUint16(4 * i + 2, true);
    if (low === NONE) continue;
    signal.low[i] = signal.least + (low / TOP_CODE) * span;
    signal.high[i] = signal.least + (high / TOP_CODE) * span;
  }
}

// So many empty columns between two that are not are only a slow signal's.
function usualGap(signal) {
  const gaps = [];
  for (let i = 0, last = -1; i < signal.n; i++) {
    if (Number.isNaN(signal.low[i])) continue;
    if (last >= 0) gaps.push(i - last);
    last = i;
  }
  gaps.sort((a, b) => a - b);
  return gaps.length ? 3 * gaps[gaps.length >> 1] + 1 : 1;
}

function tracePath(signal, data, yOf) {
  const gap = usualGap(signal), x = i => (LEFT + ((i + 0.5) / signal.n) * PLOT).toFixed(1);
  let path = "", run = [];
  const flush = () => {
    if (!run.length) return;
    const up = run.map(i => `${x(i)} ${yOf(signal.high[i]).toFixed(1)}`);
    const down = run.reverse().map(i => `${x(i)} ${yOf(signal.low[i]).toFixed(1)}`);
    path += `M${up.join("L")}L${down.join("L")}Z`;
    run = [];
  };
  for (let i = 0; i < signal.n; i++) {
    if (Number.isNaN(signal.low[i])) continue;
    if (run.length && i - run[run.length - 1] > gap) flush();
    run.push(i);
  }
  flush();
  return path;
}

// What it was at a time: of its column, or of the last one with a value not long before.
function valueAt(signal, data, t) {
  let i = Math.min(Math.floor((t / data.end) * signal.n), signal.n - 1);
  for (let back = usualGap(signal); back > 0 && i > 0 && Number.isNaN(signal.low[i]); back--) i--;
  if (Number.isNaN(signal.low[i])) return "none";
  const [low, high] = [tidy(signal.low[i]), tidy(signal.high[i])];
  return low === high ? low : `${low} to ${high}`;
}

function chart(data, signal, setTime, withAxis) {
  decode(signal);
  const height = 84, root = svg("svg", { class: signal.kind, role: "img", "data-signal": nameOf(signal) });
  const { finish, move } = frame(root, data, height, setTime, withAxis);
  let least = signal.least ?? 0, greatest = signal.greatest ?? 0;
  if (signal.kind === "promise") [least, greatest] = [Math.min(least, 0), Math.max(greatest, 0)];
  const margin = (greatest - least || Math.abs(greatest) || 1) * 0.08;
  [least, greatest] = [least - margin, greatest + margin];
  const yOf = value => height - ((value - least) / (greatest - least)) * height;
  for (const value of ticks(least, greatest, 3)) {
    root.append(svg("line", { class: value === 0 ? "zero" : "axis", x1: LEFT, x2: LEFT + PLOT, y1: yOf(value), y2: yOf(value) }));
    root.append(svg("text", { x: LEFT - 6, y: yOf(value) + 4, "text-anchor": "end" }, tidy(value)));
  }
  if (signal.kind === "promise" && least < 0)
    root.append(svg("rect", { class: "broken", x: LEFT, y: yOf(0), width: PLOT, height: height - yOf(0) }));
  root.append(svg("path", { class: "trace", d: tracePath(signal, data, yOf) }));
  const unit = unitOf(signal), what = signal.kind === "promise" ? "promise " : "";
  const odd = signal.odd ? `, ${signal.odd} values are no finite numbers` : "";
  root.append(svg("text", { class: "name", x: LEFT, y: -5 }, `${what}${signal.name}${unit ? ` [${unit}]` : ""}${odd}`));
  const now = svg("text", { class: "now", x: LEFT + PLOT, y: -5, "text-anchor": "end" });
  root.append(now);
  finish();
  return { root, move: t => { move(t); now.textContent = `${valueAt(signal, data, t)} ${unit === "margin" ? "" : unit}`; } };
}

export function charts(into, data, signals, setTime) {
  const made = signals.map((signal, i) => chart(data, signal, setTime, i === signals.length - 1));
  into.replaceChildren(...made.map(one => one.root));
  return { move: t => made.forEach(one => one.move(t)) };
}

// ---- lives of processes ---------------------------------------------------------------------------------------------

// Spans of one process: { from, to, state }, and marks where something ended.
function life(events, end) {
  const spans = [], marks = [];
  let state = "", from = 0;
  const become = (next, t) => {
    if (state && t > from) spans.push({ from, to: t, state });
    [state, from] = [next, t];
  };
  for (const event of events) {
    const next = { started: "starting", ready: "ran", stopped: "stopped", continued: "ran" }[event.kind] ?? "";
    become(next, event.t);
    const words = { exited: `exited ${event.value}`, killed: `killed by signal ${event.value}`, hung: "hung" }[event.kind];
    if (words) marks.push({ t: event.t, sign: event.kind === "exited" && event.value === 0 ? "▪" : "✕", words: `${words} at ${event.t.toFixed(3)} s\n${event.words}` });
    else if (event.kind === "started" && event.generation > 0) marks.push({ t: event.t, sign: "↻", words: `restarted at ${event.t.toFixed(3)} s` });
  }
  become("", end);
  return { spans, marks };
}

export function lives(root, data, setTime) {
  const names = [...new Set(data.processes.map(event => event.name))], row = 18;
  const { finish, move } = frame(root, data, Math.max(names.length, 1) * row + 2, setTime, true);
  names.forEach((name, i) => {
    const y = i * row + 4;
    const { spans, marks } = life(data.processes.filter(event => event.name === name), data.end);
    root.append(svg("text", { class: "name", x: LEFT - 6, y: y + 9, "text-anchor": "end", ...(name.length > 12 && { textLength: LEFT - 10, lengthAdjust: "spacingAndGlyphs" }) }, name));
    for (const span of spans) {
      const bar = svg("rect", { class: span.state, x: xOf(data, span.from), y, width: xOf(data, span.to) - xOf(data, span.from), height: row - 7 });
      bar.append(svg("title", {}, `${name}: ${span.state} from ${span.from.toFixed(3)} to ${span.to.toFixed(3)} s`));
      root.append(bar);
    }
    for (const mark of marks) {
      const sign = svg("text", { class: "mark", x: xOf(data, mark.t), y: y + 9, "text-anchor": "middle" }, mark.sign);
      sign.append(svg("title", {}, `${name}: ${mark.words}`));
      root.append(sign);
    }
  });
  for (const fault of data.faults)
    root.append(svg("text", { class: "name", x: xOf(data, fault.from), y: -5 }, `${fault.kind} ${fault.component}`));
  finish();
  return { move };
}

// ---- traffic --------------------------------------------------------------------------------------------------------

function trafficRow(data, flow, setTime, withAxis) {
  const height = 24, root = svg("svg", { role: "img" }), { finish, move } = frame(root, data, height, setTime, withAxis);
  const width_s = data.traffic_s, most = Math.max(...flow.counts, 1), last = data.end - (flow.counts.length - 1) * width_s;
  const step = PLOT * width_s / data.end, rate = i => flow.counts[i] / (i === flow.counts.length - 1 && last > 0 ? last : width_s);
  let path = "";
  flow.counts.forEach((count, i) => { if (count) path += `M${(LEFT + i * step).toFixed(1)} ${height}v${(-count / most * height).toFixed(1)}H${Math.min(LEFT + (i + 1) * step, LEFT + PLOT).toFixed(1)}V${height}z`; });
  root.append(svg("path", { class: "bars", d: path }));
  const noun = flow.kind === "bus" ? "CAN frames" : "frames";
  root.append(svg("text", { class: "name", x: LEFT, y: -4 }, `${flow.name} [${noun}/s]`));
  root.append(svg("text", { x: LEFT - 6, y: 8, "text-anchor": "end" }, tidy(most / width_s)), svg("text", { x: LEFT - 6, y: height, "text-anchor": "end" }, "0"));
  const now = svg("text", { class: "now", x: LEFT + PLOT, y: -4, "text-anchor": "end" });
  root.append(now);
  finish();
  return { root, move: t => {
    move(t);
    now.textContent = `${tidy(rate(Math.min(Math.floor(t / width_s + 1e-9), flow.counts.length - 1)))} /s`;
  } };
}

export function traffic(into, data, setTime) {
  const rows = data.traffic.map((flow, i) => trafficRow(data, flow, setTime, i === data.traffic.length - 1));
  into.replaceChildren(...rows.map(one => one.root));
  return { move: t => rows.forEach(one => one.move(t)) };
}
