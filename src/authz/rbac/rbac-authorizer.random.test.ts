import { describe, expect, it } from 'vitest';
import { isLong } from '../../../test/is-long.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { UserInfo } from '../../meta/user.ts';
import type { Attributes, Decision } from '../authorizer.ts';
import { policyRules } from './policy-rule.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { RbacIndex, type RbacKind } from './rbac-index.ts';
import { uncoveredRules } from './uncovered-rules.ts';

/** There are few words, so that requests often match rules. */
const words = {
  names: ['a', 'b', 'c', 'a/b', ''],
  namespaces: ['n', 'm', 'o'],
  verbs: ['get', 'list', 'delete', '*'],
  groups: ['', 'apps', '*'],
  resources: ['pods', 'pods/log', '*/log', 'pods/*', 'nodes', 'log', '*', '*/*', 'nodes/log'],
  objects: ['x', 'y', ''],
  paths: ['/a', '/a/*', '/a/b', '/*', '*', '/a**', '/ab', '/'],
  people: ['jane', 'joe', 'system:serviceaccount:n:bot', 'system:serviceaccount:m:bot'],
  crowds: ['all', 'dev', 'jane'],
};

class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
  of<T>(choice: readonly T[]): T {
    return choice[this.below(choice.length)]!;
  }
  some<T>(choice: readonly T[], atLeast: number, atMost: number): T[] {
    return Array.from({ length: atLeast + this.below(atMost - atLeast + 1) }, () => this.of(choice));
  }
}

interface Rule {
  verbs: string[];
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
  nonResourceURLs?: string[];
}
interface Role extends ResourceObject {
  rules?: Rule[] | null;
}
interface Bound extends ResourceObject {
  roleRef: { kind: string; name: string };
  subjects?: { kind: string; name: string; namespace?: string }[];
}
/** The objects of a kind by namespace and name. */
type World = Record<'Role' | 'ClusterRole', Map<string, Role>> &
  Record<'RoleBinding' | 'ClusterRoleBinding', Map<string, Bound>>;

function randomRule(dice: Dice): Rule {
  const verbs = dice.some(words.verbs, 1, 3);
  if (dice.below(3) === 0) return { verbs, nonResourceURLs: dice.some(words.paths, 1, 2) };
  return {
    verbs,
    apiGroups: dice.some(words.groups, 1, 2),
    resources: dice.some(words.resources, 1, 4),
    ...(dice.below(3) === 0 && { resourceNames: dice.some(words.objects, 0, 2) }),
  };
}

function randomSubject(dice: Dice): { kind: string; name: string; namespace?: string } {
  const kind = dice.of(['User', 'Group', 'ServiceAccount', 'Robot']);
  if (kind === 'ServiceAccount') {
    const namespace = dice.of(['n', 'm', '', undefined]);
    return { kind, name: 'bot', ...(namespace !== undefined && { namespace }) };
  }
  return { kind, name: dice.of(kind === 'Group' ? words.crowds : words.people) };
}

/** Adds, removes or changes one object, in the model and in the index. */
function change(dice: Dice, world: World, index: RbacIndex): void {
  const kind = dice.of<RbacKind>(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
  const namespace = kind === 'Role' || kind === 'RoleBinding' ? dice.of(words.namespaces) : '';
  const name = dice.of(words.names.slice(0, 3));
  const key = `${namespace}|${name}`;
  if (dice.below(200) === 0) {
    world[kind].clear();
    index.reset(kind);
    return;
  }
  if (dice.below(5) === 0) {
    world[kind].delete(key);
    index[`remove${kind}`](namespace, name);
    return;
  }
  const metadata = { name, ...(namespace !== '' && { namespace }) };
  if (kind === 'Role' || kind === 'ClusterRole') {
    const rules = dice.below(8) === 0 ? null : Array.from({ length: dice.below(5) }, () => randomRule(dice));
    const role = { metadata, rules };
    world[kind].set(key, role);
    index[`put${kind}`](role);
    return;
  }
  const roleRef = { kind: dice.of(['Role', 'ClusterRole', 'ClusterRole']), name: dice.of(words.names.slice(0, 3)) };
  const subjects = Array.from({ length: dice.below(6) }, () => randomSubject(dice));
  const binding = { metadata, roleRef, ...(subjects.length > 0 && { subjects }) };
  world[kind].set(key, binding);
  index[`put${kind}`](binding);
}

function randomRequest(dice: Dice, user: UserInfo): Attributes {
  const verb = dice.of(words.verbs);
  if (dice.below(4) === 0) return { user, verb, path: dice.of(['/a', '/a/b', '/ab', '/', '/a/', '/a/b/c', '/c']) };
  const resource = {
    group: dice.of(words.groups),
    version: 'v1',
    resource: dice.of(['pods', 'nodes', 'log', '*']),
    subresource: dice.of(['', '', 'log', '*']),
    namespace: dice.of([...words.namespaces, '']),
    name: dice.of(words.objects),
  };
  return { user, verb, resource };
}

/** A simple model of RBAC: it checks every binding, one after the other. */
function judge(world: World, request: Attributes): Decision {
  const problems: string[] = [];
  const scopes: [string, Bound[]][] = [['', sorted(world.ClusterRoleBinding, '')]];
  const namespace = request.resource?.namespace ?? '';
  if (namespace !== '') scopes.push([namespace, sorted(world.RoleBinding, namespace)]);
  for (const [scope, bindings] of scopes) {
    for (const { metadata, roleRef, subjects = [] } of bindings) {
      const subject = subjects.find((candidate) => isUser(request.user, candidate, scope));
      if (subject === undefined) continue;
      const role =
        roleRef.kind === 'Role'
          ? world.Role.get(`${scope}|${roleRef.name}`)
          : world.ClusterRole.get(`|${roleRef.name}`);
      if (role === undefined) {
        problems.push(`${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io "${roleRef.name}" not found`);
        continue;
      }
      if (!(role.rules ?? []).some((rule) => permits(rule, request))) continue;
      const binding =
        scope === '' ? `ClusterRoleBinding "${metadata.name}"` : `RoleBinding "${metadata.name}/${scope}"`;
      const account = subject.kind === 'ServiceAccount' ? `/${subject.namespace || scope}` : '';
      const to = `${subject.kind} "${subject.name}${account}"`;
      const reason = `RBAC: allowed by ${binding} of ${roleRef.kind} "${roleRef.name}" to ${to}`;
      return { decision: 'allow', reason };
    }
  }
  const different = problems.filter((problem, position) => problems.indexOf(problem) === position);
  if (different.length === 0) return { decision: 'no-opinion', reason: '' };
  const text = different.length === 1 ? different[0] : `[${different.join(', ')}]`;
  return { decision: 'no-opinion', reason: `RBAC: ${text}` };
}

function sorted(bindings: ReadonlyMap<string, Bound>, namespace: string): Bound[] {
  return [...bindings.keys()]
    .sort()
    .filter((key) => key.split('|')[0] === namespace)
    .map((key) => bindings.get(key)!);
}

function isUser(user: UserInfo, subject: { kind: string; name: string; namespace?: string }, scope: string): boolean {
  if (subject.kind === 'User') return subject.name === user.name;
  if (subject.kind === 'Group') return user.groups.some((group) => group === subject.name);
  if (subject.kind !== 'ServiceAccount') return false;
  const [system, accounts, namespace, name] = user.name.split(':');
  const isAccount = system === 'system' && accounts === 'serviceaccount';
  return isAccount && namespace === (subject.namespace || scope) && name === subject.name;
}

function permits(rule: Rule, { verb, resource, path }: Attributes): boolean {
  if (!rule.verbs.some((candidate) => candidate === verb || candidate === '*')) return false;
  if (resource === undefined) {
    return (rule.nonResourceURLs ?? []).some((url) => {
      const beginning = url.replace(/\*+$/, '');
      return beginning === url ? url === path : path.startsWith(beginning);
    });
  }
  const { group, subresource, name } = resource;
  if (!(rule.apiGroups ?? []).some((candidate) => candidate === group || candidate === '*')) return false;
  const fits = (rule.resources ?? []).some((candidate) => {
    if (candidate === '*') return true;
    const [main, sub = ''] = candidate.split('/');
    return sub === subresource && (main === resource.resource || (main === '*' && sub !== ''));
  });
  const names = rule.resourceNames ?? [];
  return fits && (names.length === 0 || names.some((candidate) => candidate === name));
}

function isSame(left: Decision, right: Decision): boolean {
  return left.decision === right.decision && left.reason === right.reason;
}

function emptyWorld(): World {
  return { Role: new Map(), ClusterRole: new Map(), RoleBinding: new Map(), ClusterRoleBinding: new Map() };
}

function rebuilt(world: World): RbacAuthorizer {
  const index = new RbacIndex();
  for (const kind of ['RoleBinding', 'ClusterRoleBinding', 'ClusterRole', 'Role'] as const) {
    for (const object of world[kind].values()) index[`put${kind}`](object);
  }
  return new RbacAuthorizer(index);
}

const seeds = Array.from({ length: isLong ? 60 : 3 }, (_, index) => index + 1);

describe.each(seeds)('seed %i', (seed) => {
  it('decides like a naive evaluation while roles and bindings change', () => {
    const dice = new Dice(seed * 7919);
    const world = emptyWorld();
    const index = new RbacIndex();
    const authorizer = new RbacAuthorizer(index);
    // All requests share these objects, like requests of a connection.
    const users: UserInfo[] = words.people.flatMap((name) =>
      [[], ['all'], ['dev', 'all'], ['jane']].map((groups) => ({ name, uid: '', groups, extra: {} })),
    );
    let allowed = 0;
    for (let round = 0; round < 400; round++) {
      for (let changes = dice.below(round < 20 ? 5 : 3); changes > 0; changes--) change(dice, world, index);
      const fresh = round % 40 === 0 ? rebuilt(world) : undefined;
      for (let count = 0; count < 20; count++) {
        const kept = dice.of(users);
        const request = randomRequest(dice, dice.below(3) === 0 ? { ...kept } : kept);
        const expected = judge(world, request);
        const decision = authorizer.authorize(request);
        // Texts are created for failures only, because there are many decisions.
        if (!isSame(decision, expected))
          expect({ round, request, decision }).toEqual({ round, request, decision: expected });
        if (fresh !== undefined) expect(fresh.authorize(request)).toEqual(expected);
        if (decision.decision === 'allow') allowed++;
      }
    }
    // Both results are frequent.
    expect(allowed).toBeGreaterThan(400);
    expect(allowed).toBeLessThan(7600);
  });

  it('never reports rules as covered that allow more than the held ones', () => {
    const dice = new Dice(seed * 104729);
    const nobody = { name: '', uid: '', groups: [], extra: {} };
    const randomRules = (atMost: number) => Array.from({ length: 1 + dice.below(atMost) }, () => randomRule(dice));
    const asRules = (rules: Rule[]) => policyRules({ metadata: {}, rules });
    let covered = 0;
    for (let round = 0; round < 2000; round++) {
      const held = randomRules(6);
      const wanted = randomRules(1);
      const missing = uncoveredRules(asRules(held), asRules(wanted));
      if (missing.length === 0) covered++;
      for (let count = 0; count < 20; count++) {
        const request = randomRequest(dice, nobody);
        if (!wanted.some((rule) => permits(rule, request))) continue;
        const isHeld = held.some((rule) => permits(rule, request));
        const isMissing = missing.some((rule) => permits({ ...rule } as Rule, request));
        if (!isHeld && !isMissing) expect.unreachable(JSON.stringify({ held, wanted, request }));
      }
    }
    expect(covered).toBeGreaterThan(50);
  });
});
