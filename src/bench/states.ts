/** The part of a product that changes. */
export interface State {
  price: number;
  stock: number;
}

/** Numbers for states: contents are equal if their numbers are. */
export interface States {
  toContent(state: State): number;
  of(content: number): State;
}

export function createStates(): States {
  const states: State[] = [];
  const numbers = new Map<string, number>();
  return {
    toContent({ price, stock }) {
      const key = `${price} ${stock}`;
      let number = numbers.get(key);
      if (number === undefined) {
        number = states.push({ price, stock }) - 1;
        numbers.set(key, number);
      }
      return number;
    },
    of(content) {
      const state = states[content];
      if (!state) throw new Error(`there is no state with the number ${content}`);
      return state;
    },
  };
}
