// Games that are opened: a start position, an address, a file with one game or several.

import { Collection } from "./collection.js";
import { byId, make } from "./dom.js";
import { Game } from "./game.js";
import { parse } from "./position.js";
import { firstBoard, nameOfRules } from "./rules.js";
import { source as amazons } from "./source.js";
import { say } from "./status.js";

// The amazons of the first board. That of Amazons is 5x4: White has one winning move there, and its mirror image.
const FOUR = "4v4";

export class Opening {
  // handlers: { enter(rules), show(said, reply) }
  constructor(state, handlers) {
    this.state = state;
    this.handlers = handlers;
  }

  async begin(game, said = "", { exercise = null, collection = null } = {}) {
    const { state } = this;
    const before = { game: state.game, collection: state.collection, editor: state.editor, exercise: state.exercise, putBack: state.putBack };
    this.handlers.enter(game.rules);
    Object.assign(state, { game, collection, editor: null, exercise, putBack: null });
    try {
      await this.handlers.show(said, exercise === null);
    } catch (error) {
      // What cannot be drawn is not kept: keys and buttons would go on with what nobody sees.
      if (state.game === game) await this.goBackTo(before);
      throw error;
    }
    // What was said of a game, such as that something was left out, is for eyes too.
    if (said !== "" && byId("status").textContent === "") say(said);
  }

  async goBackTo(before) {
    Object.assign(this.state, before);
    if (before.game === null) return;
    this.handlers.enter(before.game.rules);
    await this.handlers.show();
  }

  open(start, moves, rules = {}, at = undefined) {
    return this.begin(new Game(start, moves, at, rules));
  }

  // The start position of another game.
  async openFirst(rules) {
    const { position } = await this.state.about(rules).source.start(firstBoard(nameOfRules(rules)), FOUR);
    await this.open(position, [], rules);
  }

  // Opens a game file that was chosen or dropped.
  async openFile(file) {
    if (file.size > amazons.largestFile) throw new Error(`${file.name} has ${file.size} bytes, at most ${amazons.largestFile} can be read.`);
    await this.read(new Uint8Array(await file.arrayBuffer()), file.name);
  }

  // Opens the text or the bytes of a game file.
  async read(file, name = null) {
    const { nodes, games: texts, remarks } = await amazons.readGame(file);
    return this.openRead(nodes, texts.length > 1 ? new Collection(texts) : null, name, remarks);
  }

  openRead(nodes, collection, name, remarks = []) {
    const game = Game.read(nodes, name);
    game.goTo(Infinity);
    const which = collection === null ? [] : [`Game ${collection.at + 1} of ${collection.size}.`];
    const said = [...which, ...remarks.map((remark) => `In the record: ${remark}.`)].join(" ");
    return this.begin(game, said, { collection });
  }

  // Opens another game of the file; this one is kept as it is, and stays open if the other cannot be.
  async turnTo(at) {
    const { collection, game } = this.state;
    collection.keep(await this.writeGame());
    const { nodes } = await amazons.readGame(collection.texts[at]);
    if (this.state.collection?.texts === collection.texts) await this.openRead(nodes, collection.turned(at), game.file);
  }

  writeGame() {
    const { start, nodes } = this.state.game.written();
    return amazons.writeGame(start, nodes);
  }

  // The file that the game is of, as it is now.
  async writeFile() {
    const { collection } = this.state;
    const game = await this.writeGame();
    return collection === null ? game : collection.file(game);
  }

  // What the file is saved as: under its own name if it was opened, always as SGF.
  get fileName() {
    const { columns, rows } = parse(this.state.game.start);
    const name = this.state.game.file?.replace(/\.[^.]*$/, "");
    return `${name || `amazons-${columns}x${rows}`}.sgf`;
  }

  render() {
    const { collection } = this.state;
    byId("games").hidden = collection === null;
    if (collection === null) return;
    const list = byId("games-open");
    if (list.length !== collection.size) {
      list.replaceChildren(...collection.texts.map((_, at) => make("option", { value: at }, at + 1)));
    }
    list.value = collection.at;
    byId("games-size").textContent = collection.size;
  }
}
