/** Returns an integer from 0 up to, but not including, the limit. */
type Random = (limit: number) => number;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Values that few fields expect, or none. */
const odd: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  65_536,
  2 ** 31,
  2 ** 53,
  1e300,
  '',
  ' ',
  'x',
  '-',
  '../..',
  'ünïcode 🚢',
  'Not_A-Name',
  '100%',
  '1Gi',
  '-1',
  '2024-01-01T00:00:00Z',
  'x'.repeat(300),
  'x'.repeat(20_000),
  [],
  [null],
  [[]],
  {},
  { x: 1 },
  { '': '' },
  { name: null },
  [{}],
  ['a', 'a'],
];

/** Returns a copy with one to three changes: values are replaced, removed, repeated or added. */
export function mutated(object: unknown, random: Random): Json {
  const copy = structuredClone(object) as Json;
  for (let left = 1 + random(3); left > 0; left--) change(copy, random);
  return copy;
}

function change(object: Json, random: Random): void {
  const places = placesIn(object);
  // All values may have been removed by earlier changes.
  if (places.length === 0) return;
  const { owner, key } = places[random(places.length)]!;
  const value = odd[random(odd.length)]!;
  if (Array.isArray(owner)) {
    const index = Number(key);
    const steps = [
      () => owner.splice(index, 1),
      () => owner.splice(index, 0, structuredClone(owner[index]!)),
      () => owner.splice(index, 1, structuredClone(value)),
    ];
    steps[random(steps.length)]!();
    return;
  }
  const step = random(4);
  if (step === 0) delete owner[key];
  else if (step === 1) owner[`${key}X`] = structuredClone(owner[key]!);
  else owner[key] = structuredClone(value);
}

type Place = { readonly owner: Json[] | { [key: string]: Json }; readonly key: string };

function placesIn(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value;
  return Object.keys(owner).flatMap((key) => [{ owner, key }, ...placesIn((owner as { [key: string]: Json })[key]!)]);
}
