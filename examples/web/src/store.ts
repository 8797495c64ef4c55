/** A value that changes, with listeners. */
export interface Store<T> {
  get(): T;
  /** Calls the listener with the current value, then with each new one; the returned function stops that. */
  subscribe(listener: (value: T) => void): () => void;
}

export interface WritableStore<T> extends Store<T> {
  set(value: T): void;
}

export function store<T>(initial: T): WritableStore<T> {
  let current = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => current,
    set(value) {
      if (Object.is(value, current)) return;
      current = value;
      for (const listener of [...listeners]) listener(value);
    },
    subscribe(listener) {
      const own = (value: T): void => listener(value);
      listeners.add(own);
      own(current);
      return () => void listeners.delete(own);
    },
  };
}
