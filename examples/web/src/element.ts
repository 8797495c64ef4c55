/** Options of a new element: properties and listeners by their names, `data-` and `aria-` attributes as written. */
export type Members = Readonly<Record<string, unknown>>;
export type Child = Node | string | undefined | false;

/** A new element; an array of children may have gaps. */
export function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  members: Members = {},
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value as EventListener);
    else if (key in made && !key.includes('-')) Object.assign(made, { [key]: value });
    else made.setAttribute(key, String(value));
  }
  fill(made, ...children);
  return made;
}

/** Replaces the children. */
export function fill(parent: Element, ...children: readonly (Child | readonly Child[])[]): void {
  const present = (children.flat() as readonly Child[]).filter((child) => child !== undefined && child !== false);
  parent.replaceChildren(...(present as (Node | string)[]));
}
