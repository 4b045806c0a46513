// The dialogs: new board, paste, share, help.

import * as api from "./api.js";
import { byId } from "./dom.js";

// Opens a dialog when its button is pressed; `submit` may throw an error, which is shown in the dialog.
function dialog(name, prepare, submit) {
  const element = byId(`${name}-dialog`);
  const error = element.querySelector(".error");
  const say = (text) => {
    if (error) error.textContent = text;
  };
  byId(name).addEventListener("click", () => {
    say("");
    element.showModal();
    prepare();
  });
  element.querySelector("[data-close]")?.addEventListener("click", () => element.close());
  element.querySelector("form").addEventListener("submit", async (event) => {
    event.preventDefault();
    say("");
    try {
      if (await submit()) element.close();
    } catch (failure) {
      say(failure.message);
    }
  });
}

// handlers: { open(start, moves, said), edit(fen), address(), game() }
export function setUp(handlers) {
  dialog("new", showTables, async () => {
    const number = (id) => Number(byId(id).value);
    const board = `${number("new-columns")}x${number("new-rows")}`;
    const { position } = await api.start(board, `${number("new-white")}v${number("new-black")}`);
    if (byId("new-edit").checked) handlers.edit(position);
    else await handlers.open(position, [], "");
    return true;
  });
  dialog("paste", () => byId("paste-text").select(), async () => {
    const { start, moves, said } = await read(byId("paste-text").value);
    await handlers.open(start, moves, said);
    return true;
  });
  dialog("share", () => prepareSharing(handlers), async () => {
    await copy(byId("share-url"));
    byId("share-said").textContent = "The address was copied.";
    return false;
  });
  byId("share-sgf-copy").addEventListener("click", () => {
    const done = (text) => { byId("share-said").textContent = text; };
    copy(byId("share-sgf")).then(() => done("The game was copied."), (error) => done(error.message));
  });
  dialog("help", () => {}, async () => true);
}

async function prepareSharing({ address, game }) {
  byId("share-said").textContent = "";
  byId("share-url").value = address();
  byId("share-url").select();
  const { start, moves } = game();
  byId("share-sgf").value = await api.sgfOf(start, moves).catch((error) => error.message);
}

async function showTables() {
  const place = byId("new-tables");
  try {
    const { tables } = await api.tables();
    place.textContent = tables.map(({ name }) => name).join(", ") || "none";
  } catch (error) {
    place.textContent = error.message;
  }
}

// What was pasted, as a start and moves; legal, because the server says so.
async function read(text) {
  const trimmed = text.trim();
  if (trimmed.startsWith("(")) {
    const { start, moves, moves_left_out: beside, games_left_out: games } = await api.sgf(trimmed);
    const left = [beside > 0 ? `${beside} moves of variations` : "", games > 0 ? `${games} further games` : ""].filter(Boolean);
    return { start, moves: moves.map(({ move }) => move), said: left.length > 0 ? `Left out: ${left.join(" and ")}.` : "" };
  }
  if (/^\d+x\d+$/.test(trimmed)) return { start: (await api.start(trimmed, "4v4")).position, moves: [], said: "" };
  const words = trimmed.split(/\s+/);
  const tail = words[2] === "-" && words[3] === "-" ? 6 : 2;
  const { start, moves } = await api.line(words.slice(0, tail).join(" "), words.slice(tail));
  return { start, moves: moves.map(({ move }) => move), said: "" };
}

// Copies the text of a field; where the page may not, it selects the text for the user to copy.
export async function copy(field) {
  field.select();
  if (!navigator.clipboard) throw new Error("Press Ctrl-C to copy the selected text.");
  await navigator.clipboard.writeText(field.value);
}
