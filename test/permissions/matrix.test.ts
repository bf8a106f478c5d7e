import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { isLong } from '../is-long.ts';
import { type Attempt, faultsOf, isProbe } from './attempt.ts';
import { isAllowed, type User } from './naive-evaluator.ts';
import { type Impersonation, impersonatedUser } from './naive-impersonation.ts';
import { type PermissionsServer, startPermissionsServer, subjects } from './permissions-server.ts';
import { RandomPolicy } from './random-policy.ts';
import { randomRequest } from './random-request.ts';
import { collectionPath, createTargets, resourceTypes } from './resource-types.ts';
import { ServedPolicy } from './served-policy.ts';
import { UserClient } from './user-client.ts';

const seeds = isLong ? [1, 2, 3, 4, 5, 6] : [1];
const requestCount = isLong ? 480 : 240;
const parallel = 16;

let server: PermissionsServer;
let client: UserClient;
let policy: ServedPolicy;
beforeAll(async () => {
  server = await startPermissionsServer();
  client = new UserClient(server.api);
  policy = await ServedPolicy.read(server.api);
  await createTargets(server.api);
});
afterAll(async () => {
  client.close();
  await server.stop();
});

const impersonations: readonly Impersonation[] = [
  { user: 'alice', groups: [] },
  { user: 'bob', groups: ['dev'] },
  { user: 'somebody', groups: ['ops', 'dev'] },
  { user: 'boss', groups: ['system:masters'] },
  { user: 'system:anonymous', groups: [] },
  { user: 'system:serviceaccount:a:bot', groups: [] },
  { user: 'system:serviceaccount:b:bot', groups: ['dev'] },
];

function expectedDenial(attempt: Attempt): boolean {
  if (isProbe(attempt)) return false;
  const { user, request, impersonation } = attempt;
  const actor: User | undefined =
    impersonation === undefined ? user : impersonatedUser(policy, user, { impersonation, action: request.actions[0]! });
  return actor === undefined || !request.actions.every((action) => isAllowed(policy, actor, action));
}

function checked(attempt: Attempt): Promise<string[]> {
  const denied = expectedDenial(attempt);
  return faultsOf(client, attempt, { denied, allowed: !denied });
}

/** All objects that the requests refer to, with their versions. */
async function everything(): Promise<string[]> {
  const paths = ['/api/v1/namespaces', ...resourceTypes.map((type) => collectionPath(type, undefined))];
  const lists = await Promise.all(paths.map((path) => server.api.get(path)));
  return lists.flatMap(({ body }) => body.items.map((item: object) => `${body.kind} ${JSON.stringify(item)}`));
}

describe.each(seeds)('every request is allowed or denied as the rules say (seed %i)', (seed) => {
  it('while the rules change', async () => {
    const random = createRandom(seed);
    const rules = new RandomPolicy(random, subjects);
    await policy.replace(rules.roles(), rules.bindings());
    const before = await everything();
    const faults: string[] = [];
    const outcomes = { denied: 0, allowed: 0 };
    for (let sent = 0; sent < requestCount; sent += parallel) {
      const attempts = Array.from({ length: parallel }, (): Attempt => {
        const impersonation = random(4) === 0 ? impersonations[random(impersonations.length)] : undefined;
        return { user: server.users[random(server.users.length)]!, request: randomRequest(random), impersonation };
      });
      for (const attempt of attempts) outcomes[expectedDenial(attempt) ? 'denied' : 'allowed']++;
      faults.push(...(await Promise.all(attempts.map(checked))).flat());
      // The change takes effect for the next request.
      await policy.change(rules, random);
    }
    expect(faults).toEqual([]);
    expect(await everything()).toEqual(before);
    // Rules that always allow or always deny would prove nothing.
    expect(Math.min(outcomes.denied, outcomes.allowed)).toBeGreaterThan(requestCount / 10);
  });
});
