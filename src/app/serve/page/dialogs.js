// The dialogs: new board, paste, share, help.

import { byId, make } from "./dom.js";
import { isAmazons, nameOfRules, rulesNamed } from "./rules.js";

// Opens a dialog when its button is pressed; `submit` may throw an error, which is shown in the dialog.
export function dialog(name, prepare, submit) {
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

// handlers: { rules(), about(rules), open(start, moves, rules), read(text), edit(fen, rules), address(), written(),
// fileName() };
// `about` gives the source that is asked about a game
export function setUp(handlers) {
  const source = () => handlers.about(handlers.rules());
  dialog("new", () => {
    byId("new-turns").value = handlers.rules().turns ?? "";
    return showTables(source());
  }, async () => {
    const number = (id) => Number(byId(id).value);
    const board = `${number("new-columns")}x${number("new-rows")}`;
    const rules = rulesNamed(nameOfRules(handlers.rules()), byId("new-turns").value.replaceAll(/\s/g, ""));
    const { position } = await handlers.about(rules).start(board, `${number("new-white")}v${number("new-black")}`);
    if (byId("new-edit").checked) handlers.edit(position, rules);
    else await handlers.open(position, [], rules);
    return true;
  });
  dialog("paste", () => byId("paste-text").select(), async () => {
    await paste(source(), handlers, byId("paste-text").value.trim());
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
  byId("share-sgf-save").addEventListener("click", () => save(byId("share-sgf").value, handlers.fileName()));
  dialog("help", () => {}, async () => true);
}

async function prepareSharing({ address, written }) {
  byId("share-said").textContent = "";
  byId("share-url").value = address();
  byId("share-url").select();
  // Games of other rules have no SGF.
  if (!byId("share-sgf").hidden) byId("share-sgf").value = await written().catch((error) => error.message);
}

async function showTables(source) {
  const place = byId("new-tables");
  try {
    const named = ({ name, opening_moves: moves }) => (moves === undefined ? name : `${name} (${moves} moves)`);
    place.textContent = (await source.tables()).map(named).join(", ") || "none";
  } catch (error) {
    place.textContent = error.message;
  }
}

// Opens what was pasted; legal, because the source says so. What is no board is a record of games.
async function paste(source, { rules, open, read }, text) {
  const now = rules();
  if (text === "") throw new Error("Paste a position or a game first.");
  const started = async (board) => (await source.start(board.toLowerCase().replace("×", "x"), "4v4")).position;
  if (BOARD.test(text)) return open(await started(text), [], now);
  if (isAmazons(now) || text.startsWith("(")) return read(text);
  const words = text.split(/\s+/);
  const tail = fieldsOfOther(words);
  const [first] = words;
  const from = BOARD.test(first) && tail === 1 ? await started(first) : words.slice(0, tail).join(" ");
  const played = words.slice(tail).map((word) => word.replace(NUMBER, "")).filter((word) => word !== "");
  const { start, moves } = await source.line(from, played);
  return open(start, moves, now);
}

const BOARD = /^\d+[x×]\d+$/i;
// The number of a move, as in "1." and "12…".
const NUMBER = /^\d+(\.+|…)/;

// How many words are the position of another game: with a turn and walls there are four. A move has a line between its
// squares, and begins with a letter, or with its number.
function fieldsOfOther(words) {
  const first = words.findIndex((word, at) => at >= 1 && (/^[a-z]\d+-/i.test(word) || NUMBER.test(word)));
  return first < 0 ? words.length : first;
}

// Has the browser save a text as a file.
function save(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/x-go-sgf" }));
  make("a", { href: address, download: name }).click();
  // The browser has taken it when other things get their turn.
  setTimeout(() => URL.revokeObjectURL(address));
}

// Copies the text of a field; where the page may not, it selects the text for the user to copy.
export async function copy(field) {
  field.select();
  if (!navigator.clipboard) throw new Error("Press Ctrl-C to copy the selected text.");
  await navigator.clipboard.writeText(field.value);
}
