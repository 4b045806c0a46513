// Puts the page together: a game, what the server knows of the position that is shown, and what the user chooses.

import * as api from "./api.js";
import { Board } from "./board.js";
import { choose, targets } from "./choice.js";
import { copy, setUp } from "./dialogs.js";
import { byId } from "./dom.js";
import { Game, parseHash } from "./game.js";
import { MoveList, showRecord } from "./lists.js";
import { LiveSearch } from "./live.js";
import { format, indexOf, parse, sideName } from "./position.js";

// Reports of the last positions that were looked at.
const KEPT = 400;

const state = {
  game: null,
  report: null,
  choice: [],
  preview: null,
  // The position being set up by hand, or null.
  editing: null,
  // Whether the page will be drawn with the next frame.
  drawing: false,
  // Counts the positions shown, so that late answers to earlier ones are dropped.
  shown: 0,
};
const reports = new Map();

const board = new Board(byId("board"), chooseSquare);
const list = new MoveList(byId("moves"), { play, preview });
const live = new LiveSearch({ changed: searched, news: searchNews, time: searchTime });

function option(id) {
  const element = byId(id);
  return element.type === "checkbox" ? element.checked : element.value;
}

function say(text) {
  byId("status").textContent = text;
}

function fail(text) {
  byId("status").textContent = text;
  byId("status").classList.add("error");
}

// --- the position that is shown ---

// Shows the game where it stands and asks the server about it. `said` opens what a screen reader hears;
// `reply` lets the other side answer if it plays by itself.
async function show(said = "", reply = false) {
  const number = ++state.shown;
  const fromList = byId("moves").contains(document.activeElement);
  live.stop();
  Object.assign(state, { report: null, choice: [], preview: null });
  byId("status").classList.remove("error");
  location.hash === `#${state.game.hash(board.flipped)}` || history.replaceState(null, "", `#${state.game.hash(board.flipped)}`);
  render();
  let report;
  try {
    report = await known(state.game.fen);
  } catch (error) {
    if (number === state.shown) fail(error.message);
    return;
  }
  if (number !== state.shown) return;
  state.report = report;
  say([said, spoken(report)].filter((text) => text !== "").join(" "));
  render();
  if (fromList) byId("moves-title").focus();
  if (reply && (await answers(report))) return;
  if (number === state.shown && report.search && option("search-auto")) startSearch("all");
}

// What is known of a position, also from searches before.
async function known(fen) {
  let report = reports.get(fen);
  if (report === undefined) {
    report = await api.position(fen);
    reports.set(fen, report);
    if (reports.size > KEPT) reports.delete(reports.keys().next().value);
  }
  return report;
}

function spoken(report) {
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return `${side} cannot move and has lost.`;
  const values = { win: `${side} to move wins`, loss: `${side} to move loses`, unknown: `${side} to move; who wins is not known` };
  return option("values") ? `${values[report.value]}.` : `${side} to move.`;
}

function verdict(report) {
  if (report === null) return "…";
  const side = sideName(parse(report.position).turn);
  if (report.moves.length === 0) return `${side} cannot move: ${sideName(side === "White" ? "b" : "w")} has won`;
  if (!option("values")) return `${side} to move`;
  const total = report.moves.length;
  const found = report.value === "win" && report.wins > 0 ? ` by ${report.wins} of ${total} moves` : "";
  const from = { table: `from the table ${report.source?.name}`, bounds: "plain to see", search: "proved by search" }[report.source?.kind];
  const values = { win: `${side} to move wins${found}`, loss: `${side} to move loses`, unknown: `${side} to move: not known` };
  return values[report.value] + (from ? ` (${from})` : "");
}

// --- drawing ---

function render() {
  const { game, report, editing } = state;
  const position = drawBoard();
  const counts = ["Q", "q"].map((amazon) => position.squares.filter((square) => square === amazon).length);
  byId("game-name").textContent = `${position.columns}×${position.rows}, ${counts.join(" v ")}`;
  byId("verdict").textContent = editing ? "Setting up" : verdict(report);
  byId("verdict").className = `verdict ${option("values") && !editing ? report?.value ?? "" : ""}`;
  byId("editor").hidden = editing === null;
  byId("fen").value = format(position);
  if (editing === null) renderLists(report?.moves ?? []);
}

function drawBoard() {
  const { game, report, choice, editing } = state;
  const position = editing ?? parse(game.fen);
  const moves = report?.moves ?? [];
  board.show({
    position,
    choice,
    targets: editing ? new Map() : targets(moves, choice),
    values: option("values"),
    last: editing ? null : game.lastMove,
    preview: editing ? null : state.preview,
    label: `Board, ${position.columns} by ${position.rows}, ${sideName(position.turn)} to move`,
    editing: editing !== null,
  });
  return position;
}

function renderLists(moves) {
  const { game, report, choice } = state;
  if (report) list.show(game.fen, moves, choice, option("values"));
  byId("record-empty").hidden = game.moves.length > 0;
  showRecord(byId("record"), game, parse(game.start).turn, gaveAway, (ply) => goTo(ply));
  for (const id of ["first", "back"]) byId(id).disabled = game.at === 0;
  for (const id of ["forward", "last"]) byId(id).disabled = game.atEnd;
  const searching = live.running !== null;
  byId("search").hidden = !(report && (report.search || report.source?.kind === "search" || report.value === "unknown"));
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
function gaveAway(index) {
  if (!option("values")) return null;
  const before = reports.get(state.game.positions[index]);
  const played = before?.moves.find(({ move }) => move === state.game.moves[index]);
  return before?.value === "win" && played?.value === "loss" ? "gave the win away" : null;
}

// --- playing ---

function chooseSquare(name) {
  if (state.editing) return editSquare(name);
  if (state.report === null) return;
  const { choice, move } = choose(state.report.moves, state.choice, name);
  state.choice = choice;
  state.preview = null;
  if (move !== undefined) return play(move);
  render();
  if (choice.length > 0) {
    const next = targets(state.report.moves, choice);
    const kind = choice.length === 1 ? "steps" : "shots";
    const winning = [...next.values()].filter(({ value }) => value === "win").length;
    say(`${choice.at(-1)} chosen: ${next.size} ${kind}${option("values") ? `, ${winning} can win` : ""}.`);
  } else say("Nothing chosen.");
}

function preview(move) {
  if (state.preview === move || state.editing) return;
  state.preview = move;
  drawBoard();
}

function play(move) {
  const side = sideName(parse(state.game.fen).turn);
  state.game.play(move);
  show(`${side}: ${move}.`, true);
}

// Whether the side to move plays by itself.
function byItself(report) {
  const opponent = option("opponent");
  return opponent === "winner" ? report.value === "win" : opponent === parse(report.position).turn;
}

// Plays the answer of a side that plays by itself; whether it did.
async function answers(report) {
  if (!byItself(report) || report.moves.length === 0 || !state.game.atEnd) return false;
  const number = state.shown;
  let best = report.moves[0].move;
  if (report.moves[0].value === "unknown" && report.search) {
    const done = await startSearch("best");
    if (number !== state.shown) return true;
    best = done?.best_move ?? report.moves[0].move;
  }
  play(best);
  return true;
}

function goTo(ply) {
  state.game.goTo(ply);
  show(state.game.at === 0 ? "Start." : `After move ${state.game.at}, ${state.game.lastMove}.`);
}

// Back to where the user is to move, if the other side plays by itself.
function back() {
  const { game } = state;
  const before = parse(game.positions[Math.max(game.at - 1, 0)]).turn;
  goTo(game.at - (option("opponent") === before && game.at > 1 ? 2 : 1));
}

async function open(start, moves, said = "", at = undefined) {
  state.game = new Game(start, moves, at);
  state.editing = null;
  await show(said, true);
}

// --- searching ---

function startSearch(valued) {
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
    render();
    if (live.running === null && state.report?.position === fen && state.report.value !== "unknown") say(spoken(state.report));
  });
}

function searchNews(text) {
  byId("search-news").textContent = text;
}

function searchTime(share) {
  byId("search-time").hidden = share === null;
  byId("search-time").value = share ?? 0;
}

// --- setting up by hand ---

const CYCLE = ["", "Q", "q", "*"];

function edit(fen) {
  live.stop();
  Object.assign(state, { editing: parse(fen), choice: [], preview: null });
  state.shown += 1;
  byId("edit-turn").value = state.editing.turn;
  render();
  say("Setting up. Choose squares to change them.");
}

function editSquare(name) {
  const { squares } = state.editing;
  const index = indexOf(state.editing, name);
  squares[index] = CYCLE[(CYCLE.indexOf(squares[index]) + 1) % CYCLE.length];
  render();
}

async function finishEditing() {
  const fen = format({ ...state.editing, turn: option("edit-turn") });
  try {
    const { start } = await api.line(fen, []);
    await open(start, []);
  } catch (error) {
    fail(error.message);
  }
}

// --- the rest ---

async function follow(hash) {
  const wanted = parseHash(hash);
  board.flipped = wanted.flipped;
  try {
    if (wanted.fen === null) {
      await open((await api.start("4x4", "4v4")).position, []);
    } else {
      const { start, moves } = await api.line(wanted.fen, wanted.moves);
      await open(start, moves.map(({ move }) => move), "", wanted.at);
    }
  } catch (error) {
    if (state.game === null) await open("1qq1/q2q/Q2Q/1QQ1 w", []);
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
  if (typing || event.ctrlKey || event.altKey || event.metaKey || state.game === null) return;
  const keys = {
    "[": () => state.game.at > 0 && back(),
    "]": () => goTo(state.game.at + 1),
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
  on("last", "click", () => goTo(state.game.moves.length));
  on("flip", "click", flip);
  on("values", "change", render);
  on("opponent", "change", () => state.report && answers(state.report));
  on("search-go", "click", () => startSearch("all"));
  on("search-stop", "click", () => live.stop());
  on("search-auto", "change", () => option("search-auto") && state.report?.search && startSearch("all"));
  on("edit-done", "click", finishEditing);
  on("edit-cancel", "click", () => {
    state.editing = null;
    show();
  });
  on("edit-turn", "change", () => {
    state.editing.turn = option("edit-turn");
    render();
  });
  on("fen-copy", "click", () => copy(byId("fen")).then(() => say("FEN copied."), (error) => say(error.message)));
  on("theme", "change", () => {
    theme(option("theme"));
    localStorage.setItem("theme", option("theme"));
  });
  document.addEventListener("keydown", key);
  window.addEventListener("hashchange", () => follow(location.hash));
  setUp({ open, edit, address: () => location.href, game: () => state.game });
}

document.body.prepend(Board.definitions());
theme(localStorage.getItem("theme") ?? "auto");
wire();
limitSearches();
follow(location.hash);

// Offers no longer searches than the server allows.
async function limitSearches() {
  const { longest_search_seconds: longest } = await api.health().catch(() => ({ longest_search_seconds: 60 }));
  for (const choice of byId("search-seconds").options) choice.disabled = Number(choice.value) > longest;
}
