// Puts the page together: shows a position, draws what is known of it, and has what the user does done.

import { Board } from "./board.js";
import { showBoards } from "./boards.js";
import { targets } from "./choice.js";
import { copy, dialog, setUp } from "./dialogs.js";
import { byId, make, option } from "./dom.js";
import { Editor } from "./editor.js";
import { Exercises } from "./exercises.js";
import { takeFiles } from "./files.js";
import { parseHash } from "./game.js";
import { MoveList } from "./lists.js";
import { distanceMap, heatMap, marginMap, MarginScale, regionLines, regionMap, scaleColour } from "./maps.js";
import { Margins } from "./margins.js";
import { setUpMenu } from "./menu.js";
import { Opening } from "./opening.js";
import { Playing } from "./playing.js";
import { parse, sideName } from "./position.js";
import { gaveAway, Review } from "./review.js";
import { described, explained, firstBoard, isAmazons, nameOfRules, rulesNamed, title } from "./rules.js";
import { Searching } from "./searching.js";
import { source as amazons } from "./source.js";
import { State } from "./state.js";
import { fail, say } from "./status.js";
import { SQUARES, STEPS, standing } from "./thinking.js";
import { GameTree } from "./tree.js";
import { spoken, verdict } from "./words.js";

const LAST_RESORT = "1qq1/q2q/Q2Q/1QQ1 w";

const state = new State({
  search: {
    changed: (fen) => searching.changed(fen),
    news: (text) => searching.news(text),
    time: (share) => searching.time(share),
    numbers: (progress) => searching.numbers(progress),
  },
  estimated,
});

const opening = new Opening(state, { enter, show });
const exercises = new Exercises(state, { begin: (...given) => opening.begin(...given), show, render });
const playing = new Playing(state, { show, render, drawBoard, judge: (move) => exercises.judge(move) });
const searching = new Searching(state, { render, settled });
const margins = new Margins(state, { render });
const review = new Review(state, { goTo: (node) => playing.goToNode(node), render: renderReview, unit });

const board = new Board(byId("board"), (name, side) => playing.chooseSquare(name, side));
const list = new MoveList(byId("moves"), { play: (move) => playing.play(move), preview: (move) => playing.preview(move) });
const tree = new GameTree(byId("record"), { goTo: (node) => playing.goToNode(node), remark });

// Turns to the game of these rules.
function enter(rules) {
  if (state.enter(rules)) offerBoards(rules);
}

// --- the position that is shown ---

// Shows the game where it stands and asks about it. `said` opens what a screen reader hears; `reply` lets the other
// side answer if it plays by itself.
async function show(said = "", reply = false) {
  const number = ++state.shown;
  const fromList = byId("moves").contains(document.activeElement);
  state.leave();
  Object.assign(state, { report: null, insight: null, choice: [], preview: null, mayReply: false });
  const hash = `#${state.game.hash(board.flipped)}`;
  location.hash === hash || history.replaceState(null, "", hash);
  say("", said);
  render();
  let report;
  try {
    report = await state.knowledge.report(state.game.fen);
  } catch (error) {
    if (number === state.shown) fail(error.message);
    return;
  }
  if (number !== state.shown) return;
  state.knowledge.settleBack(state.game.path.map(({ fen }) => fen));
  state.report = report;
  say("", [said, spoken(report, state.values)].filter((text) => text !== "").join(" "));
  render();
  if (fromList) byId("moves-title").focus();
  lookInto();
  margins.look();
  review.look();
  if (reply && (await playing.answers(report))) return;
  if (number !== state.shown) return;
  state.mayReply = reply;
  if (searching.byItself()) return;
  if (report.value === "unknown" && state.searches) state.thinking.estimate(report.position);
}

// A search proved who wins: a side that replies if it wins may know only now that it does.
function settled(report) {
  if (!state.mayReply) return;
  state.mayReply = false;
  playing.answers(report);
}

// Asks for what a map, or the end of a game, needs beyond the report.
async function lookInto() {
  const number = state.shown;
  const isOver = state.report?.moves.length === 0 && isAmazons(state.game.rules);
  const isMapped = ["distance", "regions"].includes(option("map"));
  if (!(isOver || isMapped) || state.insight !== null || state.editor) return;
  try {
    const insight = await state.source.insight(state.game.fen);
    if (number !== state.shown) return;
    state.insight = insight;
    render();
    if (state.lead !== null) say("", spoken(state.report, state.values, state.lead));
  } catch (error) {
    if (number === state.shown && isMapped) fail(error.message);
  }
}

function estimated(fen) {
  if (state.report?.position === fen && !state.editor) renderStanding();
  review.render();
}

// What leads are counted in.
function unit() {
  return isAmazons(state.game.rules) ? SQUARES : STEPS;
}

// --- drawing ---

function render() {
  const { report, editor } = state;
  renderRules();
  const position = drawBoard();
  const counts = ["Q", "q"].map((amazon) => position.squares.filter((square) => square === amazon).length);
  byId("game-name").textContent = `${described(rulesShown())}${position.columns}×${position.rows}, ${counts.join(" v ")}`;
  const { who, how } = editor ? { who: "Setting up", how: "" } : report === null ? { who: "…", how: "" } : verdict(report, state.values, state.lead);
  byId("verdict").replaceChildren(who, ...(how === "" ? [] : [" ", make("span", { class: "how" }, how)]));
  byId("verdict").className = `verdict ${state.values && !editor ? report?.value ?? "" : ""}`;
  byId("fen").value = editor?.fen ?? state.game.fen;
  byId("editor").hidden = editor === null;
  for (const id of ["record-panel", "moves-panel", "steps", "legend"]) byId(id).hidden = editor !== null;
  byId("legend").hidden = editor !== null || option("map") !== "none" || !state.values;
  renderStanding();
  exercises.render();
  if (editor === null) renderLists(report?.moves ?? []);
  else for (const id of ["search", "regions", "scale"]) byId(id).hidden = true;
}

// The rules of what is on the board.
function rulesShown() {
  return state.editor?.rules ?? state.game.rules;
}

// What is there for Amazons only is not offered for other games.
function renderRules() {
  const rules = rulesShown();
  const choices = state.listed(rules);
  const other = !isAmazons(rules);
  byId("rules").value = nameOfRules(rules);
  for (const id of ["exercise", "share-sgf-title", "share-sgf", "share-sgf-copy", "share-sgf-save"]) byId(id).hidden = other;
  for (const map of byId("map").options) {
    map.disabled = (other && ["distance", "regions", "margins"].includes(map.value)) || (choices?.shot === "wall" && map.value === "arrow");
    map.hidden = map.disabled;
    if (map.disabled && map.selected) byId("map").value = "none";
  }
  if (choices !== undefined) byId("help-rules").textContent = explained(choices, rules);
}

function drawBoard() {
  const { game, report, choice, editor } = state;
  const position = editor?.position ?? parse(game.fen);
  const moves = report?.moves ?? [];
  board.show({
    position,
    choice,
    targets: editor ? new Map() : targets(moves, choice),
    values: state.values,
    map: editor ? null : laidMap(position, moves),
    last: editor ? null : game.lastMove,
    preview: editor ? null : state.preview,
    label: `Board, ${position.columns} by ${position.rows}, ${sideName(position.turn)} to move`,
    editing: editor !== null,
    rules: state.listed(rulesShown()),
  });
  return position;
}

// What is laid over the board, and what explains it.
function laidMap(position, moves) {
  const which = option("map");
  const { insight, report, choice } = state;
  byId("scale").hidden = true;
  byId("regions").hidden = true;
  if (["from", "to", "arrow"].includes(which)) {
    if (report === null || !state.values) return null;
    const { map, most } = heatMap(moves, choice, which);
    showScale(most);
    return map;
  }
  if (which === "margins") {
    if (report === null || !margins.areShown) return null;
    const { shown } = margins;
    const scale = marginScale(shown);
    showMarginScale(byId("scale"), shown, scale);
    return marginMap(moves, choice, shown, scale);
  }
  if (which === "distance" && insight) {
    byId("scale").hidden = false;
    byId("scale").replaceChildren("Queen moves of White : Black to each square. Pale: nearer to White. Dark: nearer to Black. Striped: equally near.");
    return distanceMap(position, insight.distances);
  }
  if (which === "regions" && insight) {
    byId("regions").hidden = false;
    const items = regionLines(insight.regions).map(({ parts, together }) => make("li", {}, ...parts.flatMap((part) => [part, make("br")]), make("b", {}, together)));
    byId("regions-list").replaceChildren(...items);
    return regionMap(position, insight.regions);
  }
  return null;
}

function showScale(most) {
  const steps = most === 0 ? [0] : [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * most)))];
  const boxes = steps.map((step) => scaleBox({ ...scaleColour(most === 0 ? 0 : step / most), text: `${step}` }));
  byId("scale").hidden = false;
  byId("scale").replaceChildren("Winning moves: ", ...boxes, " (+: not all moves are known)");
}

function scaleBox({ fill, ink, text }) {
  const box = make("span", { class: "scale-step" }, text);
  box.style.setProperty("background", fill);
  box.style.setProperty("color", ink);
  return box;
}

function marginScale(shown) {
  return new MarginScale([...shown.values()].map(({ threshold }) => threshold));
}

// What the colours of margins stand for, at a place of the page.
function showMarginScale(place, shown, scale) {
  place.hidden = false;
  if (shown.size === 0) place.replaceChildren("By how much the moves win or lose is not known here. The button above the list of moves has it searched for.");
  else place.replaceChildren("By how many spare moves: ", ...scale.steps.map(scaleBox), " (−: loses, +: wins; 0 is a single tempo)");
}

function renderStanding() {
  const { report, editor } = state;
  const seen = report && !editor && state.values && report.moves.length > 0 ? standing(report, state.thinking.of(report.position), unit()) : null;
  byId("standing").hidden = seen === null;
  byId("standing-text").hidden = seen === null || seen.proved;
  if (seen === null) return;
  byId("standing-bar").className = `standing-bar ${seen.proved ? "proved" : "estimate"}`;
  byId("standing-white").style.setProperty("width", `${(100 * seen.share).toFixed(1)}%`);
  byId("standing-name").textContent = seen.proved ? seen.winner : "";
  byId("standing-name").className = seen.share > 0.5 ? "on-white" : "on-black";
  byId("standing-text").textContent = seen.proved ? "" : `${seen.text}${seen.line.length > 0 ? `; expected: ${seen.line.slice(0, 4).join(" ")}` : ""}. Nothing is proved.`;
}

// What does the opposite of a button: it has the focus when that one goes.
const OPPOSITES = { "search-go": "search-stop", "search-stop": "search-go", "take-back": "undo", undo: "take-back", back: "forward", first: "forward", forward: "back", last: "back" };

// Gives the focus on, where the button that had it cannot be pressed any more.
function keepFocus(had) {
  const isThere = (element) => element !== null && !element.disabled && element.checkVisibility();
  const element = byId(had);
  if (!(had in OPPOSITES) || isThere(element)) return;
  const other = byId(OPPOSITES[had]);
  (isThere(other) ? other : byId("moves-title")).focus();
}

function renderLists(moves) {
  const { game, report, choice } = state;
  const had = document.activeElement?.id ?? "";
  const { shown } = margins;
  const scale = marginScale(shown);
  const coloured = [...shown].map(([move, { threshold, words }]) => [move, { words, ...scale.colour(threshold) }]);
  if (report) list.show(game.fen, moves, choice, state.values, new Map(coloured));
  byId("margins").hidden = !margins.areShown || state.exercise !== null || moves.length === 0;
  if (shown.size > 0) showMarginScale(byId("margins-scale"), shown, scale);
  byId("margins-scale").hidden = shown.size === 0;
  byId("record-empty").hidden = game.root.children.length > 0;
  renderReview();
  for (const id of ["first", "back"]) byId(id).disabled = game.node.parent === null;
  for (const id of ["forward", "last"]) byId(id).disabled = game.atEnd;
  byId("take-back").disabled = game.node.parent === null;
  byId("undo").hidden = state.putBack === null;
  opening.render();
  byId("promote").hidden = game.path.every((node) => node.parent === null || node.parent.children[0] === node);
  if (document.activeElement !== byId("comment")) byId("comment").value = game.node.comment ?? "";
  byId("best-line").hidden = !state.values || state.exercise !== null || (report?.value ?? "unknown") === "unknown" || moves.length === 0;
  const running = state.live.running !== null;
  const searchable = report && (report.search || report.value === "unknown" || byId("search-news").textContent !== "");
  byId("search").hidden = !searchable || state.exercise !== null;
  byId("search-why").textContent = report ? why(report) : "";
  byId("search-go").hidden = running || !state.searches;
  byId("search-go").disabled = !report?.search;
  byId("search-stop").hidden = !running;
  keepFocus(had);
}

// The moves of the game, and how they stand.
function renderReview() {
  if (state.game === null || state.editor) return;
  tree.show(state.game);
  review.render();
}

function why(report) {
  if (!state.searches) return "This server was started without searches: it tells what is known.";
  if (report.value === "unknown" && !report.search) return "No table has this position, and no search takes it: more than 64 squares take part, or the board is too large.";
  if (!report.search) return "Everything here is known.";
  return report.value === "unknown" ? "No table has this position; a search may prove who wins." : "Some moves are not known yet; a search may prove them.";
}

// A remark on a move that gave the win away, if both positions are known.
function remark(node) {
  return state.values && gaveAway(state.knowledge, node) ? "gave the win away" : null;
}

// --- setting up by hand ---

function edit(fen, rules) {
  state.leave();
  const editor = new Editor(fen, rules, state.listed(rules));
  Object.assign(state, { editor, choice: [], preview: null, exercise: null });
  state.shown += 1;
  byId("edit-turn").value = editor.position.turn;
  byId("edit-number").value = editor.position.number;
  byId("edit-number").parentElement.hidden = !editor.hasTurns;
  byId("edit-walls").hidden = !editor.hasWalls;
  render();
  say("Choose squares to change them.", "Setting up.");
}

async function finishEditing() {
  try {
    const { fen, rules } = state.editor;
    const { start } = await state.about(rules).source.line(fen, []);
    await opening.open(start, [], rules);
  } catch (error) {
    fail(error.message);
  }
}

// --- the rest ---

async function follow(hash) {
  const wanted = parseHash(hash);
  board.flipped = wanted.flipped;
  const first = await offered;
  try {
    if (wanted.fen === null) {
      await opening.openFirst(wanted.rules ?? first);
    } else {
      const rules = wanted.rules ?? {};
      const { start, moves } = await state.about(rules).source.line(wanted.fen, wanted.moves);
      await opening.open(start, moves, rules, wanted.at);
    }
  } catch (error) {
    if (state.game === null) await opening.open(LAST_RESORT, []);
    fail(`This address cannot be shown: ${error.message}`);
  }
}

function flip() {
  board.flipped = !board.flipped;
  history.replaceState(null, "", `#${state.game.hash(board.flipped)}`);
  render();
}

function key(event) {
  const typing = event.target.closest("input:not([type=checkbox]), textarea, select, dialog");
  if (typing || !byId("keys").checked || state.game === null || state.editor) return;
  // On many keyboards brackets are written with Alt, on some with Ctrl beside it.
  const bracket = event.altKey && (event.key === "[" || event.key === "]");
  if (event.metaKey || (!bracket && (event.ctrlKey || event.altKey))) return;
  const keys = {
    "[": () => playing.back(),
    "]": () => playing.forward(),
    n: () => playing.beside(1),
    p: () => playing.beside(-1),
    Delete: () => playing.takeBack(),
    x: flip,
    v: () => byId("values").click(),
    Escape: () => state.choice.length > 0 && playing.chooseSquare(state.choice.at(-1)),
  };
  keys[event.key]?.();
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").value = name;
}

function wire() {
  const on = (id, event, handler) => byId(id).addEventListener(event, handler);
  on("first", "click", () => playing.goTo(0));
  on("back", "click", () => playing.back());
  on("forward", "click", () => playing.forward());
  on("last", "click", () => playing.goTo(Infinity));
  on("flip", "click", flip);
  on("take-back", "click", () => playing.takeBack());
  on("undo", "click", () => playing.undo());
  on("best-line", "click", () => playing.bestLine().catch((error) => fail(error.message)));
  on("promote", "click", () => {
    state.game.promote();
    render();
  });
  on("comment", "input", () => { state.game.node.comment = option("comment") || null; });
  on("comment", "change", render);
  on("values", "change", () => {
    render();
    margins.look();
    searching.byItself();
  });
  on("map", "change", () => {
    render();
    lookInto();
  });
  on("opponent", "change", () => state.report && playing.answers(state.report));
  on("search-go", "click", () => searching.start());
  on("search-stop", "click", () => searching.stop());
  on("search-auto", "change", () => {
    localStorage.setItem("search", option("search-auto"));
    searching.choose();
  });
  on("estimate", "click", () => review.estimate());
  on("margins", "click", () => margins.ask());
  on("exercise-next", "click", () => exercises.next().catch((error) => fail(error.message)));
  on("exercise-show", "click", () => exercises.showSolution().catch((error) => fail(error.message)));
  on("exercise-end", "click", () => {
    state.exercise = null;
    show();
  });
  on("edit-done", "click", finishEditing);
  on("edit-cancel", "click", () => {
    state.editor = null;
    show();
  });
  on("edit-number", "change", () => {
    const most = Number(byId("edit-number").max);
    state.editor.number = Math.min(most, Math.max(1, Math.round(Number(option("edit-number")) || 1)));
    byId("edit-number").value = state.editor.position.number;
    render();
  });
  on("edit-turn", "change", () => {
    state.editor.turn = option("edit-turn");
    render();
  });
  on("fen-copy", "click", () => copy(byId("fen")).then(() => say("FEN copied."), (error) => say(error.message)));
  on("keys", "change", () => localStorage.setItem("keys", byId("keys").checked));
  on("exercise-goal", "change", offerExercises);
  on("theme", "change", () => {
    theme(option("theme"));
    localStorage.setItem("theme", option("theme"));
  });
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", () => follow(location.hash));
  // A browser may keep a page that was left, with its requests, and show it again.
  window.addEventListener("pagehide", () => state.leave());
  window.addEventListener("pageshow", ({ persisted }) => persisted && state.game !== null && state.editor === null && show());
  on("games-open", "change", () => opening.turnTo(Number(option("games-open"))).catch((error) => {
    opening.render();
    fail(error.message);
  }));
  on("rules", "change", () => opening.openFirst(rulesNamed(option("rules"))).catch((error) => fail(error.message)));
  setUp({
    rules: () => state.game.rules,
    about: (rules) => state.about(rules).source,
    open: (...given) => opening.open(...given),
    read: (text) => opening.read(text),
    edit,
    written: () => opening.writeFile(),
    fileName: () => opening.fileName,
    address: () => location.href,
  });
  dialog("exercise", () => {}, async () => {
    await exercises.next();
    return true;
  });
}

document.body.prepend(Board.definitions());
theme(localStorage.getItem("theme") ?? "auto");
byId("search-auto").value = localStorage.getItem("search") ?? "small";
byId("keys").checked = localStorage.getItem("keys") !== "false";
wire();
setUpMenu();
takeFiles((file) => opening.openFile(file).catch((error) => fail(`${file.name} cannot be opened: ${error.message}`)));
limitSearches();
const offered = offerRules();
// The first answer does not wait for what is known of all boards.
const boardsOfAmazons = follow(location.hash).then(() => amazons.boards()).catch(() => []);
offerBoards({});
offerExercises();

// The games that can be chosen; the rules of the one to begin with.
async function offerRules() {
  const { first, rules } = await amazons.games().catch(() => ({ first: {}, rules: [] }));
  state.rules = rules;
  byId("rules").replaceChildren(...rules.map(({ name }) => make("option", { value: name }, title(name))));
  for (const id of ["rules-choice", "new-turns-choice"]) byId(id).hidden = rules.length < 2;
  return rulesNamed(first.rules, first.turns);
}

// Offers no longer searches than the server allows.
async function limitSearches() {
  const { longest_search_seconds: longest, searches_at_once: most } = await amazons.limits().catch(() => ({ longest_search_seconds: 60 }));
  if (most === 0) {
    state.searches = false;
    for (const id of ["opponent", "estimate"]) byId(id).disabled = true;
    if (state.game !== null) render();
  }
  const choices = [...byId("search-seconds").options];
  for (const choice of choices) choice.disabled = Number(choice.value) > longest;
  if (choices.every(({ disabled }) => disabled)) byId("search-seconds").prepend(make("option", { value: longest }, `${longest} s`));
  if (Number(option("search-seconds")) > longest) byId("search-seconds").value = [...byId("search-seconds").options].findLast(({ disabled }) => !disabled).value;
}

// The solved boards of a game, to open.
async function offerBoards(rules) {
  const asked = state.about(rules).source;
  const boards = await (asked === amazons ? boardsOfAmazons : asked.boards().catch(() => []));
  if (asked !== state.source) return;
  byId("boards-title").parentElement.hidden = boards.length === 0;
  showBoards(byId("boards"), boards, ({ position }) => opening.open(position, [], rules));
}

// The boards that exercises are of.
async function offerExercises() {
  const boards = await boardsOfAmazons;
  // Exercises are found where all moves are known along games, those by margins to the end of games.
  const kinds = option("exercise-goal") === "margin" ? ["table"] : ["table", "opening"];
  const known = boards.filter(({ source }) => kinds.includes(source.kind));
  const names = [...new Set(known.map(({ board: name }) => name))];
  byId("exercise-board").replaceChildren(...names.map((name) => make("option", { value: name, selected: name === firstBoard("amazons") }, name.replace("x", "×"))));
}
