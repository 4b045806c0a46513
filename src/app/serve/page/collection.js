// The games of a file, of which this one is open. The others are kept as SGF.

export class Collection {
  constructor(texts, at = 0) {
    this.texts = texts;
    this.at = at;
  }

  get size() {
    return this.texts.length;
  }

  // The file with this text for the open game.
  file(open) {
    return this.texts.with(this.at, open).join("");
  }

  // Keeps this text for the open game.
  keep(open) {
    this.texts[this.at] = open;
  }

  // The same file with another game open.
  turned(at) {
    return new Collection(this.texts, at);
  }
}
