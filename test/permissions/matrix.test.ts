import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { AskingClient } from './asking-client.ts';
import { mayDo, type Person } from './naive-evaluator.ts';
import { actingAs, type Disguise } from './naive-impersonation.ts';
import { type KnownPerson, settle, subjects, type Town } from './people.ts';
import { namespaces, RandomPolicy } from './random-policy.ts';
import { ServedPolicy } from './served-policy.ts';
import { collectionPath, objectOf, things } from './things.ts';
import type { Wish } from './wish.ts';
import { randomWish } from './wishes.ts';

const seeds = [1, 2, 3, 4, 5, 6];
const wishes = 480;
const parallel = 16;

let town: Town;
let client: AskingClient;
let policy: ServedPolicy;
beforeAll(async () => {
  town = await settle();
  client = new AskingClient(town.api);
  policy = await ServedPolicy.read(town.api);
  for (const what of things) {
    for (const namespace of what.namespaced ? namespaces : [undefined]) {
      for (const name of ['one', 'two']) {
        await town.api.post(collectionPath(what, namespace), objectOf(what, { name }));
      }
    }
  }
});
afterAll(async () => {
  client.close();
  await town.leave();
});

const disguises: readonly Disguise[] = [
  { user: 'alice', groups: [] },
  { user: 'bob', groups: ['dev'] },
  { user: 'somebody', groups: ['ops', 'dev'] },
  { user: 'boss', groups: ['system:masters'] },
  { user: 'system:anonymous', groups: [] },
  { user: 'system:serviceaccount:a:bot', groups: [] },
  { user: 'system:serviceaccount:b:bot', groups: ['dev'] },
];

interface Attempt {
  readonly person: KnownPerson;
  readonly wish: Wish;
  readonly disguise: Disguise | undefined;
}

/** Nobody on the machine itself has to say who they are to hear how the server is. */
function isProbe({ person, wish, disguise }: Attempt): boolean {
  return disguise === undefined && person.name === 'system:anonymous' && /^\/(healthz|livez)(\/|$)/.test(wish.path);
}

function expectedDenial(attempt: Attempt): boolean {
  if (isProbe(attempt)) return false;
  const { person, wish, disguise } = attempt;
  const actor: Person | undefined =
    disguise === undefined ? person : actingAs(policy, person, { disguise, action: wish.actions[0]! });
  return actor === undefined || !wish.actions.every((action) => mayDo(policy, actor, action));
}

/** The request itself and its dry run. What gets through must not change anything, or the next ones meet another world. */
async function faultsOf(attempt: Attempt): Promise<string[]> {
  const { person, wish, disguise } = attempt;
  const { method, path, type } = wish;
  const expected = expectedDenial(attempt);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const dry = { path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, body: wish.body };
  const real = { path, body: expected ? wish.body : wish.harmless };
  const hasReal = expected || !isWrite || wish.harmless !== undefined;
  const faults: string[] = [];
  for (const sent of [...(hasReal ? [real] : []), ...(isWrite ? [dry] : [])]) {
    const { status, text, denied } = await client.ask(person, { method, type, disguise, ...sent });
    if (denied === expected) continue;
    const as = disguise === undefined ? '' : ` as ${disguise.user} ${disguise.groups.join()}`;
    faults.push(
      `${person.name}${as}: ${method} ${sent.path}: ${status}, not ${expected ? 403 : 'let through'} ${text}`,
    );
  }
  return faults;
}

/** Everything that the wishes are about, with its versions. */
async function everything(): Promise<string[]> {
  const paths = ['/api/v1/namespaces', ...things.map((what) => collectionPath(what, undefined))];
  const lists = await Promise.all(paths.map((path) => town.api.get(path)));
  return lists.flatMap(({ body }) => body.items.map((item: object) => `${body.kind} ${JSON.stringify(item)}`));
}

describe.each(seeds)('whoever asks for whatever is told what the rules say (seed %i)', (seed) => {
  it('while the rules change', async () => {
    const random = createRandom(seed);
    const rules = new RandomPolicy(random, subjects);
    await policy.replace(rules.roles(), rules.bindings());
    const before = await everything();
    const faults: string[] = [];
    const verdicts = { denied: 0, allowed: 0 };
    for (let asked = 0; asked < wishes; asked += parallel) {
      const attempts = Array.from({ length: parallel }, (): Attempt => {
        const disguise = random(4) === 0 ? disguises[random(disguises.length)] : undefined;
        return { person: town.people[random(town.people.length)]!, wish: randomWish(random), disguise };
      });
      for (const attempt of attempts) verdicts[expectedDenial(attempt) ? 'denied' : 'allowed']++;
      faults.push(...(await Promise.all(attempts.map(faultsOf))).flat());
      // It counts for the very next request.
      await policy.change(rules, random);
    }
    expect(faults).toEqual([]);
    expect(await everything()).toEqual(before);
    // Rules that say always the same would prove nothing.
    expect(Math.min(verdicts.denied, verdicts.allowed)).toBeGreaterThan(wishes / 10);
  });
});
