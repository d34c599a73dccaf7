// The page of one trial: everything moves with one time, that of the slider. The address keeps it: #t=3.2&s=signal,signal
import { charts, lives, traffic, nameOf } from "./charts.js";
import { makeRobot } from "./robot.js";

const data = JSON.parse(document.getElementById("data").textContent);
const at = id => document.getElementById(id);
const SHOWN_FIRST = 8;

// ---- what does not move ---------------------------------------------------------------------------------------------

function element(tag, text, className) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function fillHead() {
  document.title = `Ukemi · ${data.title}`;
  for (const id of ["title", "target", "hash"]) at(id).textContent = data[id];
  if (data.claim) at("claim").append(element("b", "Claim "), data.claim);
  const texts = data.observed.filter(({ text }) => text).map(({ name, text }) => `${name}: ${text}`);
  at("seen").hidden = !texts.length;
  at("seen").append(element("b", "Observed "), texts.join("; "));
  if (data.verdict) at("verdict").append(element("b", `· ${data.verdict}`, data.verdict));
  if (data.lacks) at("lacks").textContent = `Its cell lacked ${data.lacks}.`;
  if (data.again) at("again").append(". Again: ", element("code", data.again));
}

function fillVerdicts() {
  const order = { ERROR: 0, FAIL: 1, PASS: 2, SKIP: 3 };
  const sorted = [...data.verdicts].sort((a, b) => order[a.verdict] - order[b.verdict]);
  for (const { verdict, oracle, margin, unit, detail } of sorted) {
    const item = element("li", "");
    const words = margin === null ? "" : ` ${margin > 0 ? "+" : ""}${Number(margin.toPrecision(4))} ${unit}`;
    item.append(element("b", verdict, verdict), ` ${(oracle + words).trim()}. `, element("span", detail, "soft"));
    at("verdicts").append(item);
  }
  if (!data.verdicts.length) at("verdicts").append(element("li", "none", "soft"));
}

function fillObserved() {
  for (const { name, value, unit, text, reason } of data.observed) {
    const item = element("li", "");
    const words = text || (value === null ? "" : `${Number(value.toPrecision(4))} ${unit}`);
    item.append(element("b", name), ` ${words} `, element("span", reason, "soft"));
    at("observed").append(item);
  }
  if (!data.observed.length) at("observed").append(element("li", "nothing", "soft"));
}

function fillOutput() {
  if (data.output_before) at("output-before").textContent = `${data.output_before} earlier lines are not shown.`;
  else if (!data.output.length) at("output-before").textContent = "none";
  for (const line of data.output) {
    const item = element("li", "");
    item.append(element("i", `${line.t.toFixed(3)} s ${line.name}: `), line.text);
    item.onclick = () => setTime(line.t);
    at("output").append(item);
  }
}

// ---- which signals --------------------------------------------------------------------------------------------------

const byName = new Map(data.signals.map(signal => [nameOf(signal), signal]));

function firstChosen() {
  const of = kind => data.signals.filter(signal => signal.kind === kind && signal.data);
  const tracks = of("track").sort((a, b) => b.name.includes("_") - a.name.includes("_")); // joints last
  const declared = [...of("promise"), ...of("quantity"), ...tracks];
  return (declared.length ? declared : of("field")).slice(0, SHOWN_FIRST).map(nameOf);
}

let chosen = [];
let drawn = { move() {} };

function draw() {
  const signals = chosen.map(name => byName.get(name)).filter(Boolean);
  drawn = charts(at("charts"), data, signals, setTime);
  at("chosen").textContent = `${signals.length} of ${data.signals.length} signals; choose`;
  drawn.move(time);
}

function listNames() {
  const words = at("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kinds = { promise: "Promises: how far they hold", track: "Tracks", quantity: "Quantities", field: "Recorded" };
  const list = at("names");
  list.replaceChildren();
  let kind = "";
  let room = 400; // a list of thousands helps nobody
  for (const [name, signal] of byName) {
    if (!words.every(word => name.toLowerCase().includes(word)) || room-- <= 0) continue;
    if (signal.kind !== kind) list.append(element("li", kinds[(kind = signal.kind)], "kind"));
    const item = element("li", ""), label = element("label", ""), box = element("input", "");
    box.type = "checkbox";
    box.checked = chosen.includes(name);
    box.onchange = () => {
      chosen = box.checked ? [...chosen, name] : chosen.filter(other => other !== name);
      draw();
      keepAddress();
    };
    label.append(box, ` ${signal.name}${signal.data ? "" : signal.least === null ? " (never known)" : ` = ${signal.least}`}`);
    item.append(label);
    list.append(item);
  }
  if (room < 0) list.append(element("li", `and ${-room} more: filter them`, "soft"));
  if (data.left_out) list.append(element("li", `${data.left_out} numbers did not fit into this page`, "soft"));
}

// ---- time -----------------------------------------------------------------------------------------------------------

let time = 0;
let movers = [];

function setTime(t) {
  time = Math.min(Math.max(Number(t) || 0, 0), data.end);
  at("slider").value = time;
  at("time").textContent = `${time.toFixed(3)} s`;
  for (const mover of movers) mover.move(time);
  drawn.move(time);
}

function moveOutput() {
  const items = [...at("output").children];
  let last = -1;
  data.output.forEach((line, i) => {
    const later = line.t > time + 1e-9;
    items[i].classList.toggle("later", later);
    if (!later) last = i;
  });
  const list = at("output");
  if (last >= 0) list.scrollTop = items[last].offsetTop - list.offsetTop - list.clientHeight / 2;
}

function keepAddress() {
  const names = chosen.map(encodeURIComponent).join(",");
  history.replaceState(null, "", `#t=${time.toFixed(3)}&s=${names}`);
}

function readAddress() {
  const asked = new Map(location.hash.slice(1).split("&").map(part => part.split("=")));
  chosen = asked.has("s") ? asked.get("s").split(",").filter(Boolean).map(decodeURIComponent) : firstChosen();
  listNames();
  draw();
  setTime(asked.get("t") || (data.faults.length ? data.faults[0].from : 0));
}

let playing = 0;
function play() {
  const button = at("play");
  if (playing) {
    cancelAnimationFrame(playing);
    playing = 0;
    button.textContent = "▶";
    keepAddress();
    return;
  }
  button.textContent = "■";
  if (time >= data.end) setTime(0);
  let before = performance.now();
  const step = now => {
    setTime(time + (now - before) / 1000 * Number(at("speed").value));
    before = now;
    playing = requestAnimationFrame(step);
    if (time >= data.end) play();
  };
  playing = requestAnimationFrame(step);
}

fillHead();
fillVerdicts();
fillObserved();
fillOutput();
at("slider").max = data.end;
at("slider").oninput = event => setTime(event.target.value);
at("slider").onchange = keepAddress;
at("play").onclick = play;
at("filter").oninput = listNames;
movers = [lives(at("lives"), data, setTime), traffic(at("traffic"), data, setTime), { move: moveOutput }];
if (data.body) movers.push(makeRobot(data.body, at));
window.onhashchange = readAddress;
window.ukemi = { setTime, data };
readAddress();
