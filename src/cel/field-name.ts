/** Words that cannot be the name of a variable. */
export const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(' '),
);
/** Words that are escaped as the name of a field. */
const keywords: ReadonlySet<string> = new Set(['true', 'false', 'null', 'in', ...reservedWords]);
const expressible = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/;
const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};
const unescapes: Readonly<Record<string, string>> = {
  __underscores__: '__',
  __dot__: '.',
  __dash__: '-',
  __slash__: '/',
};

/** The name by which expressions select a property, for example `a__dot__b`. Undefined when there is none. */
export function escapeFieldName(property: string): string | undefined {
  if (!expressible.test(property)) return undefined;
  if (keywords.has(property)) return `__${property}__`;
  return property.replace(/__|[./-]/g, (match) => escapes[match]!);
}

/** The property that a name in an expression refers to. */
export function unescapeFieldName(name: string): string {
  if (!name.includes('__')) return name;
  const keyword = /^__([a-z]+)__$/.exec(name)?.[1];
  if (keyword !== undefined && keywords.has(keyword)) return keyword;
  return name.replace(/__(?:underscores|dot|dash|slash)__/g, (match) => unescapes[match]!);
}
