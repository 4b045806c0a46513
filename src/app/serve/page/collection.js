// The games of a file, one of which is open. The others are kept as SGF.

export class Collection {
  constructor(texts) {
    this.texts = texts;
    this.at = 0;
  }

  get size() {
    return this.texts.length;
  }

  // The file with this text for the open game.
  file(open) {
    return this.texts.with(this.at, open).join("");
  }

  // Keeps this text for the open game; the text of another, which is open from now on.
  turnTo(at, open) {
    this.texts[this.at] = open;
    this.at = at;
    return this.texts[at];
  }
}
