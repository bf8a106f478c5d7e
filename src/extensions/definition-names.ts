import type { CustomResourceDefinitionNames } from '../resources/apiextensions/custom-resource-definition-types.ts';

/** The names that are taken in a group. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and the kinds of lists. */
  readonly kinds: ReadonlySet<string>;
}

export interface NamesDecision {
  readonly accepted: CustomResourceDefinitionNames;
  /** Undefined when all names are accepted. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/** Accepts the wanted names that are not taken. For a taken name, the previously accepted one is kept. */
export function decideNames(
  wanted: CustomResourceDefinitionNames,
  current: CustomResourceDefinitionNames,
  taken: TakenNames,
): NamesDecision {
  let conflict: NamesDecision['conflict'];
  const refused = (reason: string, names: readonly string[]): void => {
    const message = names.map((name) => `"${name}" is already in use`).join(', ');
    conflict = { reason, message: names.length > 1 ? `[${message}]` : message };
  };
  const accepted: Record<string, unknown> = { ...current };
  const decide = (field: keyof CustomResourceDefinitionNames, names: ReadonlySet<string>, reason: string): void => {
    const name = (wanted[field] ?? '') as string;
    if (names.has(name)) refused(reason, [name]);
    else set(accepted, field, name === '' ? undefined : name);
  };
  decide('plural', taken.resources, 'PluralConflict');
  decide('singular', taken.resources, 'SingularConflict');
  const { shortNames = [] } = wanted;
  const takenShortNames = shortNames.filter((name) => taken.resources.has(name));
  if (takenShortNames.length > 0) refused('ShortNamesConflict', takenShortNames);
  else set(accepted, 'shortNames', shortNames.length === 0 ? undefined : shortNames);
  decide('kind', taken.kinds, 'KindConflict');
  decide('listKind', taken.kinds, 'ListKindConflict');
  set(accepted, 'categories', wanted.categories);
  return { accepted, conflict };
}

function set(names: Record<string, unknown>, field: keyof CustomResourceDefinitionNames, value: unknown): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}
