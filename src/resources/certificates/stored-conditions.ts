interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string | null;
}

/** What was sent, with the stored conditions of these types in the place of theirs, unless some were added or removed. */
export function withStoredConditions<C extends Condition>(
  sent: readonly C[] | undefined,
  before: readonly C[] | undefined,
  types: readonly string[],
): readonly C[] | undefined {
  if (sent === undefined) return undefined;
  const kept = [...sent];
  for (const type of types) {
    const stored = (before ?? []).filter((condition) => condition.type === type);
    const places = kept.flatMap((condition, index) => (condition.type === type ? [index] : []));
    if (places.length !== stored.length) continue;
    for (const [index, place] of places.entries()) kept[place] = stored[index]!;
  }
  return kept;
}

/** Since when a stored condition of the same type has this status. */
export function transitionTime({ type, status }: Condition, before: readonly Condition[]): string | undefined {
  const same = before.find(
    (condition) => condition.type === type && condition.status === status && condition.lastTransitionTime,
  );
  return same?.lastTransitionTime ?? undefined;
}
