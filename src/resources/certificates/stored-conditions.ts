import type { Condition } from '../../schema/meta-types.ts';

/** Replaces the sent conditions of these types with the stored ones, unless their number differs. */
export function withStoredConditions<C extends Condition>(
  sent: readonly C[] | undefined,
  before: readonly C[] | undefined,
  types: readonly string[],
): C[] | undefined {
  if (sent === undefined) return undefined;
  const kept = [...sent];
  for (const type of types) {
    const old = (before ?? []).filter((condition) => condition.type === type);
    const indexes = kept.flatMap((condition, index) => (condition.type === type ? [index] : []));
    if (indexes.length !== old.length) continue;
    for (const [position, index] of indexes.entries()) kept[index] = old[position]!;
  }
  return kept;
}

/** Returns the transition time of the stored condition with the same type and status. */
export function transitionTime({ type, status }: Condition, before: readonly Condition[]): string | undefined {
  const same = before.find(
    (condition) => condition.type === type && condition.status === status && condition.lastTransitionTime,
  );
  return same?.lastTransitionTime ?? undefined;
}
