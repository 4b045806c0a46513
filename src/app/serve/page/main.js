// Puts the page together: a game, what is known of the position that is shown, and what the user chooses.

import { Board } from "./board.js";
import { showBoards } from "./boards.js";
import { OtherGame } from "./answers.js";
import { choose, targets } from "./choice.js";
import { Collection } from "./collection.js";
import { copy, dialog, setUp } from "./dialogs.js";
import { byId, make } from "./dom.js";
import { Editor } from "./editor.js";
import { Exercise } from "./exercise.js";
import { Game, parseHash } from "./game.js";
import { NumberGraph } from "./graph.js";
import { Knowledge } from "./knowledge.js";
import { MoveList } from "./lists.js";
import { LiveSearch } from "./live.js";
import { distanceMap, heatMap, regionLines, regionMap, scaleColour } from "./maps.js";
import { after, parse, sideName } from "./position.js";
import { described, explained, firstBoard, isAmazons, nameOfRules, rulesNamed, title } from "./rules.js";
import { source as amazons } from "./source.js";
import { SQUARES, STEPS, Thinking, standing } from "./thinking.js";
import { GameTree } from "./tree.js";
import { plural, spoken, verdict } from "./words.js";

// The board of the first visit is 5x4: White has one winning move there, and its mirror image.
const FOUR = "4v4";
const LAST_RESORT = "1qq1/q2q/Q2Q/1QQ1 w";

const state = {
  game: null,
  // The games there are, as the source lists them; the page offers them if there are several.
  rules: [],
  // The games of the file that this one is of, or null if there is no other.
  collection: null,
  report: null,
  // What is seen of the position that is shown, when a map asks for it.
  insight: null,
  choice: [],
  preview: null,
  // Setting up by hand, or null.
  editor: null,
  exercise: null,
  // Puts back what was taken back last, or null.
  putBack: null,
  // Whether the page will be drawn with the next frame.
  drawing: false,
  // Counts the positions shown, so that late answers to earlier ones are dropped.
  shown: 0,
};

// What is asked and known, of each game that was shown, and of the one that is shown.
const games = new Map();
let { source, knowledge, live, thinking } = about({});

const board = new Board(byId("board"), chooseSquare);
const list = new MoveList(byId("moves"), { play, preview });
const tree = new GameTree(byId("record"), { goTo: goToNode, remark: gaveAway });
const graph = new NumberGraph(byId("search-graph"));

function about(rules) {
  const key = JSON.stringify(rules);
  if (!games.has(key)) {
    const asked = isAmazons(rules) ? amazons : new OtherGame(amazons, rules);
    const known = new Knowledge(asked);
    games.set(key, {
      source: asked,
      knowledge: known,
      live: new LiveSearch(asked, known, { changed: searched, news: searchNews, time: searchTime, numbers: searchNumbers }),
      thinking: new Thinking(asked, { changed: estimated }),
    });
  }
  return games.get(key);
}

// Turns to the game of these rules.
function enter(rules) {
  if (about(rules).source === source) return;
  live.leave();
  thinking.leave();
  ({ source, knowledge, live, thinking } = about(rules));
  offerBoards(rules);
}

// How the source lists the rules of the game that is shown; undefined while it has not.
function listed(rules) {
  return state.rules.find(({ name }) => name === nameOfRules(rules));
}

function option(id) {
  const element = byId(id);
  return element.type === "checkbox" ? element.checked : element.value;
}

// Values are kept from who is to find a move.
function values() {
  return option("values") && !(state.exercise && !state.exercise.solved && state.game.fen === state.exercise.position);
}

// Says something to eyes and ears; `heard` is for ears alone.
function say(text, heard = "") {
  byId("status").classList.remove("error");
  byId("status").textContent = text;
  byId("heard").textContent = [text, heard].filter((part) => part !== "").join(" ");
}

function fail(text) {
  say(text);
  byId("status").classList.add("error");
}

// --- the position that is shown ---

// Shows the game where it stands and asks about it. `said` opens what a screen reader hears; `reply` lets the other
// side answer if it plays by itself.
async function show(said = "", reply = false) {
  const number = ++state.shown;
  const fromList = byId("moves").contains(document.activeElement);
  live.leave();
  thinking.leave();
  Object.assign(state, { report: null, insight: null, choice: [], preview: null });
  const hash = `#${state.game.hash(board.flipped)}`;
  location.hash === hash || history.replaceState(null, "", hash);
  say("", said);
  render();
  let report;
  try {
    report = await knowledge.report(state.game.fen);
  } catch (error) {
    if (number === state.shown) fail(error.message);
    return;
  }
  if (number !== state.shown) return;
  knowledge.settleBack(state.game.path.map(({ fen }) => fen));
  state.report = report;
  say("", [said, spoken(report, values())].filter((text) => text !== "").join(" "));
  render();
  if (fromList) byId("moves-title").focus();
  lookInto();
  if (reply && (await answers(report))) return;
  if (number !== state.shown) return;
  if (report.search && option("search-auto")) startSearch("all");
  else if (report.value === "unknown") thinking.estimate(report.position);
}

// Asks for what a map needs beyond the report.
async function lookInto() {
  const number = state.shown;
  if (!["distance", "regions"].includes(option("map")) || state.insight !== null || state.editor) return;
  try {
    const insight = await source.insight(state.game.fen);
    if (number !== state.shown) return;
    state.insight = insight;
    render();
  } catch (error) {
    if (number === state.shown) fail(error.message);
  }
}

function estimated(fen) {
  if (state.report?.position === fen && !state.editor) renderStanding();
}

// --- drawing ---

function render() {
  const { report, editor } = state;
  renderRules();
  const position = drawBoard();
  const counts = ["Q", "q"].map((amazon) => position.squares.filter((square) => square === amazon).length);
  byId("game-name").textContent = `${described(rulesShown())}${position.columns}×${position.rows}, ${counts.join(" v ")}`;
  byId("verdict").textContent = editor ? "Setting up" : report === null ? "…" : verdict(report, values());
  byId("verdict").className = `verdict ${values() && !editor ? report?.value ?? "" : ""}`;
  byId("fen").value = editor?.fen ?? state.game.fen;
  byId("editor").hidden = editor === null;
  for (const id of ["record-panel", "moves-panel", "steps", "legend"]) byId(id).hidden = editor !== null;
  byId("legend").hidden = editor !== null || option("map") !== "none" || !values();
  renderStanding();
  renderExercise();
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
  const choices = listed(rules);
  const other = !isAmazons(rules);
  byId("rules").value = nameOfRules(rules);
  for (const id of ["exercise", "share-sgf-title", "share-sgf", "share-sgf-copy"]) byId(id).hidden = other;
  for (const map of byId("map").options) {
    map.disabled = (other && ["distance", "regions"].includes(map.value)) || (choices?.shot === "wall" && map.value === "arrow");
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
    values: values(),
    map: editor ? null : laidMap(position, moves),
    last: editor ? null : game.lastMove,
    preview: editor ? null : state.preview,
    label: `Board, ${position.columns} by ${position.rows}, ${sideName(position.turn)} to move`,
    editing: editor !== null,
    rules: listed(rulesShown()),
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
    if (report === null || !values()) return null;
    const { map, most } = heatMap(moves, choice, which);
    showScale(most);
    return map;
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
  const boxes = steps.map((step) => {
    const { fill, ink } = scaleColour(most === 0 ? 0 : step / most);
    const box = make("span", { class: "scale-step" }, `${step}`);
    box.style.setProperty("background", fill);
    box.style.setProperty("color", ink);
    return box;
  });
  byId("scale").hidden = false;
  byId("scale").replaceChildren("Winning moves: ", ...boxes, " (+: not all moves are known)");
}

function renderStanding() {
  const { report, editor } = state;
  const seen = report && !editor && values() && report.moves.length > 0 ? standing(report, thinking.of(report.position), isAmazons(state.game.rules) ? SQUARES : STEPS) : null;
  byId("standing").hidden = seen === null;
  if (seen === null) return;
  byId("standing-bar").className = `standing-bar ${seen.proved ? "proved" : "estimate"}`;
  byId("standing-white").style.setProperty("width", `${(100 * seen.share).toFixed(1)}%`);
  byId("standing-text").textContent = seen.proved ? "" : `${seen.text}${seen.line.length > 0 ? `; expected: ${seen.line.slice(0, 4).join(" ")}` : ""}. Nothing is proved.`;
}

function renderLists(moves) {
  const { game, report, choice } = state;
  if (report) list.show(game.fen, moves, choice, values());
  byId("record-empty").hidden = game.root.children.length > 0;
  tree.show(game);
  for (const id of ["first", "back"]) byId(id).disabled = game.node.parent === null;
  for (const id of ["forward", "last"]) byId(id).disabled = game.atEnd;
  byId("take-back").disabled = game.node.parent === null;
  byId("undo").hidden = state.putBack === null;
  renderCollection();
  byId("promote").hidden = game.path.every((node) => node.parent === null || node.parent.children[0] === node);
  if (document.activeElement !== byId("comment")) byId("comment").value = game.node.comment ?? "";
  const searching = live.running !== null;
  const searchable = report && (report.search || report.value === "unknown" || byId("search-news").textContent !== "");
  byId("search").hidden = !searchable || state.exercise !== null;
  byId("search-why").textContent = report ? why(report) : "";
  byId("search-go").hidden = searching;
  byId("search-go").disabled = !report?.search;
  byId("search-stop").hidden = !searching;
}

function why(report) {
  if (report.value === "unknown" && !report.search) return "No table has this position, and the search takes boards of up to 64 squares.";
  if (!report.search) return "Everything here is known.";
  return report.value === "unknown" ? "No table has this position; a search may prove who wins." : "Some moves are not known yet; a search may prove them.";
}

// A remark on a move that gave the win away, if both positions are known.
function gaveAway(node) {
  if (!values() || node.parent === null) return null;
  const before = knowledge.remembered(node.parent.fen);
  const played = before?.moves.find(({ move }) => move === node.move);
  return before?.value === "win" && played?.value === "loss" ? "gave the win away" : null;
}

// --- playing ---

function chooseSquare(name) {
  if (state.editor) {
    state.editor.change(name);
    return render();
  }
  if (state.report === null) return;
  const { choice, move } = choose(state.report.moves, state.choice, name);
  state.choice = choice;
  state.preview = null;
  if (move !== undefined) return play(move);
  render();
  if (choice.length > 0) {
    const next = targets(state.report.moves, choice);
    const kind = choice.length === 1 ? "step" : listed(state.game.rules)?.shot === "wall" ? "wall" : "shot";
    const winning = [...next.values()].filter(({ value }) => value === "win").length;
    const unknown = [...next.values()].some(({ value }) => value === "unknown");
    const can = winning === 0 && unknown ? "none known to win" : `${unknown ? "at least " : ""}${winning} can win`;
    say(`${choice.at(-1)} chosen: ${plural(next.size, kind)}${values() ? `, ${can}` : ""}.`);
  } else say("Nothing chosen.");
}

function preview(move) {
  if (state.preview === move || state.editor) return;
  state.preview = move;
  drawBoard();
}

function play(move) {
  const { exercise, game } = state;
  if (exercise && !exercise.solved && game.fen === exercise.position) return judge(move);
  const side = sideName(parse(game.fen).turn);
  game.play(played(move));
  state.putBack = null;
  show(`${side}: ${move}.`, true);
}

// A move of the position that is shown, with the position after it.
function played(move) {
  const { fen } = state.game;
  const known = knowledge.remembered(fen)?.moves.find((other) => other.move === move);
  return { move, position: after(fen, known ?? { move }) };
}

// Whether the side to move plays by itself.
function byItself(report) {
  const opponent = option("opponent");
  return opponent === "winner" ? report.value === "win" : opponent === parse(report.position).turn;
}

// Has the engine answer for a side that plays by itself; whether it did.
async function answers(report) {
  if (!byItself(report) || report.moves.length === 0 || !state.game.atEnd) return false;
  const number = state.shown;
  say("The engine is thinking …");
  try {
    const { move } = await thinking.move(report.position, option("level"));
    if (number !== state.shown) return true;
    play(move);
  } catch (error) {
    if (number === state.shown && error.name !== "AbortError") fail(`The engine does not answer: ${error.message}`);
  }
  return true;
}

function goToNode(node) {
  state.game.show(node);
  state.putBack = null;
  show(node.parent === null ? "Start." : `After move ${state.game.at}, ${node.move ?? "set up"}.`);
}

function goTo(ply) {
  state.game.goTo(ply);
  goToNode(state.game.node);
}

// Back to where the user is to move, if the other side plays by itself.
function back() {
  const { node, at, path } = state.game;
  if (node.parent === null) return;
  const byUser = path.slice(0, -1).findLastIndex(({ fen }) => parse(fen).turn !== option("opponent"));
  goTo(byUser >= 0 ? byUser : at - 1);
}

function takeBack() {
  const { game } = state;
  const move = game.lastMove;
  const putBack = game.takeBack();
  if (putBack === null) return;
  state.putBack = null;
  show(`Taken back: ${move ?? "set up"}.`);
  state.putBack = putBack;
  render();
}

function undo() {
  state.putBack?.();
  state.putBack = null;
  show("Put back.");
}

function beside(step) {
  if (state.game.beside(step)) goToNode(state.game.node);
}

// --- games that are opened ---

async function begin(game, said = "", { exercise = null, collection = null } = {}) {
  const before = { game: state.game, collection: state.collection, editor: state.editor, exercise: state.exercise, putBack: state.putBack };
  enter(game.rules);
  Object.assign(state, { game, collection, editor: null, exercise, putBack: null });
  try {
    await show(said, exercise === null);
  } catch (error) {
    // What cannot be drawn is not kept: keys and buttons would go on with what nobody sees.
    if (state.game === game) await goBackTo(before);
    throw error;
  }
  // What was said of a game, such as that something was left out, is for eyes too.
  if (said !== "" && byId("status").textContent === "") say(said);
}

async function goBackTo(before) {
  Object.assign(state, before);
  if (before.game === null) return;
  enter(before.game.rules);
  await show();
}

function open(start, moves, rules = {}, at = undefined) {
  return begin(new Game(start, moves, at, rules));
}

// The start position of another game.
async function openFirst(rules) {
  const { position } = await about(rules).source.start(firstBoard(nameOfRules(rules)), FOUR);
  await open(position, [], rules);
}

async function readFile(text) {
  const { nodes, games: texts } = await amazons.readGame(text);
  return openRead(nodes, texts.length > 1 ? new Collection(texts) : null);
}

function openRead(nodes, collection) {
  const game = Game.read(nodes);
  game.goTo(Infinity);
  return begin(game, collection === null ? "" : `Game ${collection.at + 1} of ${collection.size}.`, { collection });
}

// Opens another game of the file; this one is kept as it is, and stays open if the other cannot be.
async function turnTo(at) {
  const { collection } = state;
  collection.keep(await writtenGame());
  const { nodes } = await amazons.readGame(collection.texts[at]);
  if (state.collection?.texts === collection.texts) await openRead(nodes, collection.turned(at));
}

function writtenGame() {
  const { start, nodes } = state.game.written();
  return amazons.writeGame(start, nodes);
}

// The file that the game is of, as it is now.
async function written() {
  const { collection } = state;
  const game = await writtenGame();
  return collection === null ? game : collection.file(game);
}

function renderCollection() {
  const { collection } = state;
  byId("games").hidden = collection === null;
  if (collection === null) return;
  const list = byId("games-open");
  if (list.length !== collection.size) {
    list.replaceChildren(...collection.texts.map((_, at) => make("option", { value: at }, at + 1)));
  }
  list.value = collection.at;
  byId("games-size").textContent = collection.size;
}

// --- exercises ---

function renderExercise() {
  const { exercise, editor } = state;
  byId("exercise-panel").hidden = exercise === null || editor !== null;
  if (exercise === null) return;
  byId("exercise-task").textContent = exercise.task;
  byId("exercise-show").hidden = exercise.solved;
  byId("exercise-next").className = exercise.solved ? "main" : "";
}

async function newExercise() {
  const seed = Math.floor(Math.random() * 2 ** 32);
  const given = await amazons.exercise(option("exercise-board"), option("exercise-difficulty"), seed);
  const { moves } = await amazons.line(given.start, given.moves);
  byId("exercise-answer").textContent = "";
  await begin(new Game(given.start, moves), "", { exercise: new Exercise(given, about({}).knowledge) });
  byId("exercise-title").focus();
}

async function judge(move) {
  const { exercise, game } = state;
  const step = played(move);
  try {
    const { right, text } = await exercise.judge(move, step.position);
    if (state.exercise !== exercise) return;
    byId("exercise-answer").textContent = text;
    if (right) {
      game.play(step);
      await show();
    } else {
      state.choice = [];
      render();
    }
  } catch (error) {
    fail(error.message);
  }
}

async function showSolution() {
  const { exercise } = state;
  const { move } = await exercise.solution();
  exercise.solved = true;
  byId("exercise-answer").textContent = `The move is ${move}.`;
  state.game.node = state.game.line.find(({ fen }) => fen === exercise.position) ?? state.game.node;
  state.game.play(played(move));
  await show();
}

// --- searching ---

function startSearch(valued) {
  thinking.leave();
  const running = live.run(state.report, Number(option("search-seconds")), valued);
  render();
  return running;
}

// A search found something, or ended. Many findings are drawn together.
function searched(fen) {
  if (state.report?.position !== fen || state.drawing) return;
  state.drawing = true;
  requestAnimationFrame(() => {
    state.drawing = false;
    if (state.report?.position !== fen || state.editor) return;
    knowledge.settleBack(state.game.path.map((node) => node.fen));
    render();
    if (live.running !== null) return;
    if (state.report.value !== "unknown") say("", spoken(state.report, values()));
    else thinking.estimate(fen);
  });
}

function searchNews(text) {
  byId("search-news").textContent = text;
}

function searchTime(share) {
  byId("search-time").hidden = share === null;
  byId("search-time").value = share ?? 0;
}

function searchNumbers(progress) {
  if (progress === null) graph.clear();
  else graph.add(progress);
  byId("search-graph-key").hidden = byId("search-graph").hidden;
}

// --- setting up by hand ---

function edit(fen, rules) {
  live.leave();
  thinking.leave();
  Object.assign(state, { editor: new Editor(fen, rules), choice: [], preview: null, exercise: null });
  state.shown += 1;
  byId("edit-turn").value = state.editor.position.turn;
  render();
  say("Choose squares to change them.", "Setting up.");
}

async function finishEditing() {
  try {
    const { fen, rules } = state.editor;
    const { start } = await about(rules).source.line(fen, []);
    await open(start, [], rules);
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
      await openFirst(wanted.rules ?? first);
    } else {
      const rules = wanted.rules ?? {};
      const { start, moves } = await about(rules).source.line(wanted.fen, wanted.moves);
      await open(start, moves, rules, wanted.at);
    }
  } catch (error) {
    if (state.game === null) await open(LAST_RESORT, []);
    fail(`This address cannot be shown: ${error.message}`);
  }
}

function flip() {
  board.flipped = !board.flipped;
  history.replaceState(null, "", `#${state.game.hash(board.flipped)}`);
  render();
}

function key(event) {
  const typing = event.target.closest("input, textarea, select, dialog");
  if (typing || event.ctrlKey || event.altKey || event.metaKey || state.game === null || state.editor) return;
  const keys = {
    "[": back,
    "]": () => goTo(state.game.at + 1),
    n: () => beside(1),
    p: () => beside(-1),
    Delete: takeBack,
    x: flip,
    v: () => byId("values").click(),
    Escape: () => state.choice.length > 0 && chooseSquare(state.choice.at(-1)),
  };
  keys[event.key]?.();
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").value = name;
}

function wire() {
  const on = (id, event, handler) => byId(id).addEventListener(event, handler);
  on("first", "click", () => goTo(0));
  on("back", "click", back);
  on("forward", "click", () => goTo(state.game.at + 1));
  on("last", "click", () => goTo(Infinity));
  on("flip", "click", flip);
  on("take-back", "click", takeBack);
  on("undo", "click", undo);
  on("promote", "click", () => {
    state.game.promote();
    render();
  });
  on("comment", "input", () => { state.game.node.comment = option("comment") || null; });
  on("comment", "change", render);
  on("values", "change", render);
  on("map", "change", () => {
    render();
    lookInto();
  });
  on("opponent", "change", () => state.report && answers(state.report));
  on("search-go", "click", () => startSearch("all"));
  on("search-stop", "click", () => live.stop());
  on("search-auto", "change", () => option("search-auto") && state.report?.search && startSearch("all"));
  on("exercise-next", "click", () => newExercise().catch((error) => fail(error.message)));
  on("exercise-show", "click", () => showSolution().catch((error) => fail(error.message)));
  on("exercise-end", "click", () => {
    state.exercise = null;
    show();
  });
  on("edit-done", "click", finishEditing);
  on("edit-cancel", "click", () => {
    state.editor = null;
    show();
  });
  on("edit-turn", "change", () => {
    state.editor.turn = option("edit-turn");
    render();
  });
  on("fen-copy", "click", () => copy(byId("fen")).then(() => say("FEN copied."), (error) => say(error.message)));
  on("theme", "change", () => {
    theme(option("theme"));
    localStorage.setItem("theme", option("theme"));
  });
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", () => follow(location.hash));
  on("games-open", "change", () => turnTo(Number(option("games-open"))).catch((error) => {
    renderCollection();
    fail(error.message);
  }));
  on("rules", "change", () => openFirst(rulesNamed(option("rules"))).catch((error) => fail(error.message)));
  setUp({ rules: () => state.game.rules, about: (rules) => about(rules).source, open, readFile, edit, written, address: () => location.href });
  dialog("exercise", () => {}, async () => {
    await newExercise();
    return true;
  });
}

document.body.prepend(Board.definitions());
theme(localStorage.getItem("theme") ?? "auto");
wire();
limitSearches();
const offered = offerRules();
const boardsOfAmazons = amazons.boards().catch(() => []);
offerBoards({});
offerExercises();
follow(location.hash);

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
  const { longest_search_seconds: longest } = await amazons.limits().catch(() => ({ longest_search_seconds: 60 }));
  for (const choice of byId("search-seconds").options) choice.disabled = Number(choice.value) > longest;
}

// The solved boards of a game, to open.
async function offerBoards(rules) {
  const asked = about(rules).source;
  const boards = await (asked === amazons ? boardsOfAmazons : asked.boards().catch(() => []));
  if (asked !== source) return;
  byId("boards-title").parentElement.hidden = boards.length === 0;
  showBoards(byId("boards"), boards, ({ position }) => open(position, [], rules));
}

// The boards that exercises are of.
async function offerExercises() {
  const boards = await boardsOfAmazons;
  const names = [...new Set(boards.map(({ board: name }) => name))];
  byId("exercise-board").replaceChildren(...names.map((name) => make("option", { value: name, selected: name === firstBoard("amazons") }, name.replace("x", "×"))));
}
