import type { Controller } from './controller.ts';

/**
 * The controllers that a list of names leaves: `*` is all that are not named, `x` switches x on and `-x` off; the first entry
 * that names a controller counts. Throws a RangeError for names that do not exist.
 */
export function selectControllers(names: readonly string[], controllers: readonly Controller[]): Controller[] {
  const known = new Set(controllers.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  for (const entry of names) {
    if (entry !== '*' && !known.has(plain(entry))) {
      throw new RangeError(`${JSON.stringify(plain(entry))} is not in the list of known controllers`);
    }
  }
  return controllers.filter(({ name, aliases = [] }) => {
    const entry = names.find((candidate) => candidate !== '*' && [name, ...aliases].includes(plain(candidate)));
    return entry === undefined ? names.includes('*') : !entry.startsWith('-');
  });
}

function plain(entry: string): string {
  return entry.startsWith('-') ? entry.slice(1) : entry;
}
