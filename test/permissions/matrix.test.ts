import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { isLong } from '../is-long.ts';
import { isAllowed, type User } from './naive-evaluator.ts';
import { type Impersonation, impersonatedUser } from './naive-impersonation.ts';
import { type PermissionsServer, startPermissionsServer, subjects, type TestUser } from './permissions-server.ts';
import { namespaces, RandomPolicy } from './random-policy.ts';
import { randomRequest } from './random-request.ts';
import type { RandomRequest } from './request.ts';
import { collectionPath, objectOf, resourceTypes } from './resource-types.ts';
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
  for (const type of resourceTypes) {
    for (const namespace of type.namespaced ? namespaces : [undefined]) {
      for (const name of ['one', 'two']) {
        await server.api.post(collectionPath(type, namespace), objectOf(type, { name }));
      }
    }
  }
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

interface Attempt {
  readonly user: TestUser;
  readonly request: RandomRequest;
  readonly impersonation: Impersonation | undefined;
}

/** Health requests from loopback need no credentials. */
function isProbe({ user, request, impersonation }: Attempt): boolean {
  return (
    impersonation === undefined && user.name === 'system:anonymous' && /^\/(healthz|livez)(\/|$)/.test(request.path)
  );
}

function expectedDenial(attempt: Attempt): boolean {
  if (isProbe(attempt)) return false;
  const { user, request, impersonation } = attempt;
  const actor: User | undefined =
    impersonation === undefined ? user : impersonatedUser(policy, user, { impersonation, action: request.actions[0]! });
  return actor === undefined || !request.actions.every((action) => isAllowed(policy, actor, action));
}

/** Sends the request and its dry run. Allowed requests must change nothing, because later ones rely on the state. */
async function faultsOf(attempt: Attempt): Promise<string[]> {
  const { user, request, impersonation } = attempt;
  const { method, path, type } = request;
  const expected = expectedDenial(attempt);
  const isWrite = method !== 'GET' && method !== 'HEAD';
  const dry = { path: `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, body: request.body };
  const real = { path, body: expected ? request.body : request.harmless };
  const hasReal = expected || !isWrite || request.harmless !== undefined;
  const faults: string[] = [];
  for (const sent of [...(hasReal ? [real] : []), ...(isWrite ? [dry] : [])]) {
    const { status, text, denied } = await client.send(user, { method, type, impersonation, ...sent });
    if (denied === expected) continue;
    const as = impersonation === undefined ? '' : ` as ${impersonation.user} ${impersonation.groups.join()}`;
    faults.push(`${user.name}${as}: ${method} ${sent.path}: ${status}, not ${expected ? 403 : 'let through'} ${text}`);
  }
  return faults;
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
      faults.push(...(await Promise.all(attempts.map(faultsOf))).flat());
      // The change takes effect for the next request.
      await policy.change(rules, random);
    }
    expect(faults).toEqual([]);
    expect(await everything()).toEqual(before);
    // Rules that always allow or always deny would prove nothing.
    expect(Math.min(outcomes.denied, outcomes.allowed)).toBeGreaterThan(requestCount / 10);
  });
});
