// The rules of the games that can be chosen: how they are named, and what they say.

// The board that a game is begun on: where its rules give a start of their own, that one.
const BOARDS = { amazons: "5x4", killer: "6x6", cowboys: "7x7", pencil: "5x5", 134: "5x5", tromazons: "8x8" };

const TITLES = { amazons: "Amazons", killer: "Killer", cowboys: "Cowboys", pencil: "Pencil & Paper", 134: "134*", tromazons: "Tromazons" };

const STEPS = {
  queen: "moves like a chess queen",
  capturing: "moves like a chess queen, and may move onto the first amazon that it meets, of either colour, which is removed",
  knight: "leaps like a chess knight",
  neighbour: "moves to an empty square beside it, not through a wall",
};
const SHOTS = {
  queen: "then shoots an arrow from its new square, again like a queen",
  knight: "then shoots an arrow from its new square, again a knight's leap away",
  wall: "then builds a wall on one side of its new square, where there is none and not the edge of the board",
};

// A game as it is asked for: nothing for Amazons itself, else { rules } and the turns if they are others than its own.
// Amazons with turns of one move is Amazons, and so is 134*.
export function rulesNamed(name, turns) {
  const single = /^1(,1)*$/.test(turns ?? "");
  if ((name ?? "amazons") === "amazons" && (!turns || single)) return {};
  if (name === "134" && single) return {};
  return { rules: name ?? "amazons", ...(turns ? { turns } : {}) };
}

export function isAmazons(rules) {
  return rules.rules === undefined;
}

// The name of the game that the rules are of, without its turns.
export function nameOfRules(rules) {
  return rules.rules ?? "amazons";
}

export function title(name) {
  return TITLES[name] ?? name;
}

export function firstBoard(name) {
  return BOARDS[name] ?? BOARDS.amazons;
}

// What is said of the game beside its board.
export function described(rules) {
  if (isAmazons(rules)) return "";
  return `${title(rules.rules)}${rules.turns ? `, turns of ${rules.turns} moves` : ""}, `;
}

// The rules in sentences, by the choices that the source lists.
export function explained({ step, origin, shot, turns }, rules) {
  const burned = shot === "wall" ? "" : " The square that the arrow hits is burned for good.";
  const left = origin === "burns" ? " The square that the amazon leaves burns, too, before it shoots." : "";
  const crossing = step === "knight" ? "No amazon or arrow ends on an amazon or a burned square." : "Nothing crosses an amazon or a burned square.";
  const between = shot === "wall" ? "" : ` ${crossing}`;
  const choice = shot === "wall" ? " Choose the square beyond the side on which the wall is to stand." : "";
  const many = rules.turns ?? turns;
  const order = many === "1" ? "" : ` Turns have ${many.replaceAll(",", ", ")} moves${many.includes(",") ? " and so on" : ""}, each by a different amazon.`;
  return `A move: one of your amazons ${STEPS[step]}, ${SHOTS[shot]}.${choice}${burned}${left}${between}${order} Who cannot move loses.`;
}
