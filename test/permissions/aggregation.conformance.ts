import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRandom } from '../faults/random.ts';
import { isLong } from '../is-long.ts';
import type { StartServer } from '../wire/api.ts';
import { type Answers, type Attempt, faultsOf, isProbe } from './attempt.ts';
import { type LabelSelector, type ModelledRole, NaiveAggregation } from './naive-aggregation.ts';
import { type PermissionsServer, startPermissionsServer, subjects } from './permissions-server.ts';
import { RandomPolicy } from './random-policy.ts';
import { randomRequest } from './random-request.ts';
import type { Random } from './request.ts';
import { createTargets } from './resource-types.ts';
import { ServedPolicy } from './served-policy.ts';
import { UserClient } from './user-client.ts';

const seeds = isLong ? [1, 2, 3, 4, 5, 6] : [1];
const roundCount = isLong ? 120 : 16;
const parallel = 8;

const clusterRoles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const plain = ['c1', 'c2', 'c3'];
/** `c6` may select the other two. */
const aggregated = ['c4', 'c5', 'c6'];
const labelValues = ['yes', 'also'];

/** A role that only this aggregated role selects. Its rule names a round and allows nothing. */
function markerOf(name: string, round: number): ModelledRole {
  return {
    labels: { marker: name },
    rules: [{ verbs: [`round-${round}`], apiGroups: ['marker'], resources: ['markers'] }],
  };
}

/** The cluster roles of a server and of the model, which are changed together. */
class ChangingRoles {
  readonly #server: PermissionsServer;
  readonly #model: NaiveAggregation;
  readonly #rules: RandomPolicy;
  readonly #random: Random;
  #round = 0;

  constructor(server: PermissionsServer, { model, random }: { model: NaiveAggregation; random: Random }) {
    this.#server = server;
    this.#model = model;
    this.#rules = new RandomPolicy(random, subjects);
    this.#random = random;
  }

  /** Creates, replaces, relabels or deletes a role, or changes its selectors. */
  async change(): Promise<void> {
    const random = this.#random;
    const isAggregated = random(2) === 0;
    const name = (isAggregated ? aggregated : plain)[random(3)]!;
    if (!this.#model.has(name)) return this.put(name, this.#randomRole(name));
    switch (random(isAggregated ? 5 : 4)) {
      case 0:
        await this.#sent('DELETE', name);
        return this.#model.delete(name);
      case 1:
        return this.put(name, this.#randomRole(name));
      case 4: {
        const selectors = this.#selectors(name);
        await this.#sent('PATCH', name, { aggregationRule: aggregationRule(selectors) });
        return this.#model.select(name, selectors);
      }
      default: {
        const labels = this.#labels(name);
        const cleared = Object.fromEntries(aggregated.map((key) => [key, null]));
        await this.#sent('PATCH', name, { metadata: { labels: { ...cleared, ...labels } } });
        return this.#model.relabel(name, labels);
      }
    }
  }

  async put(name: string, role: ModelledRole): Promise<void> {
    const { labels, rules, selectors } = role;
    const isNew = !this.#model.has(name);
    await this.#sent(isNew ? 'POST' : 'PUT', name, {
      metadata: { name, labels },
      rules,
      ...(selectors && { aggregationRule: aggregationRule(selectors) }),
    });
    this.#model.put(name, role);
  }

  /**
   * Waits until the controller has seen all changes. Rules that are as expected do not show that: after two changes that
   * cancel each other, the controller may still be at the first one. So each role then gets another marker.
   */
  async settle(): Promise<void> {
    for (const name of aggregated) await this.#aggregation(name);
    this.#round++;
    for (const name of aggregated) {
      await this.put(`marker-${name}`, markerOf(name, this.#round));
      await this.#aggregation(name);
    }
  }

  /** Waits until the role has its final rules. */
  async #aggregation(name: string): Promise<void> {
    if (!this.#model.has(name)) return;
    const rules = this.#model.settle(name);
    await vi.waitFor(async () => {
      const { body } = await this.#server.api.get(`${clusterRoles}/${name}`);
      expect(body.rules ?? [], name).toEqual(rules);
    });
  }

  #randomRole(name: string): ModelledRole {
    const rules = this.#rules.role('ClusterRole', name).rules!;
    const labels = this.#labels(name);
    return aggregated.includes(name) ? { labels, rules, selectors: this.#selectors(name) } : { labels, rules };
  }

  /** Labels by which other aggregated roles may select the role. */
  #labels(name: string): Record<string, string> {
    const selecting = name === 'c6' ? [] : aggregated.includes(name) ? ['c6'] : aggregated;
    const chosen = selecting.filter(() => this.#random(2) === 0);
    return Object.fromEntries(chosen.map((key) => [key, labelValues[this.#random(2)]!]));
  }

  #selectors(name: string): LabelSelector[] {
    const values = this.#random(2) === 0 ? labelValues : [labelValues[this.#random(2)]!];
    return [
      { key: 'marker', values: [name] },
      { key: name, values },
    ];
  }

  async #sent(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', name: string, body?: object): Promise<void> {
    const path = method === 'POST' ? clusterRoles : `${clusterRoles}/${name}`;
    const { api } = this.#server;
    const response = await (method === 'PATCH' ? api.patch(path, body) : api.call(method, path, { body }));
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`);
  }
}

function aggregationRule(selectors: readonly LabelSelector[]): object {
  return {
    clusterRoleSelectors: selectors.map(({ key, values }) =>
      values.length === 1
        ? { matchLabels: { [key]: values[0] } }
        : { matchExpressions: [{ key, operator: 'In', values }] },
    ),
  };
}

/** The tests of aggregated roles, on a server that is started by the given function. */
export function describeAggregation(start?: StartServer): void {
  describe.each(seeds)('aggregated roles allow what the selected roles allow (seed %i)', (seed) => {
    let server: PermissionsServer;
    let client: UserClient;
    beforeAll(async () => {
      server = await startPermissionsServer({ controllers: ['clusterrole-aggregation-controller'] }, start);
      client = new UserClient(server.api);
      await createTargets(server.api);
    });
    afterAll(async () => {
      client.close();
      await server.stop();
    });

    it('before or after each aggregation under way, and exactly when all are done', async () => {
      const random = createRandom(seed);
      const served = await ServedPolicy.read(server.api);
      await served.replace([], new RandomPolicy(random, subjects).bindings());
      const model = new NaiveAggregation(served, aggregated);
      const roles = new ChangingRoles(server, { model, random });
      await roles.settle();
      const faults: string[] = [];
      const outcomes = { denied: 0, allowed: 0, either: 0 };
      const answersTo = (attempt: Attempt): Answers => {
        if (isProbe(attempt)) return { allowed: true, denied: false };
        const all = attempt.request.actions.map((action) => model.answers(attempt.user, action));
        // Each action is checked at its own time.
        return { allowed: all.every(({ allowed }) => allowed), denied: all.some(({ denied }) => denied) };
      };
      const check = async (isSettled: boolean): Promise<void> => {
        const attempts = Array.from(
          { length: parallel },
          (): Attempt => ({ user: server.users[random(server.users.length)]!, request: randomRequest(random) }),
        );
        const checked = attempts.map((attempt) => {
          const answers = answersTo(attempt);
          const isExact = answers.allowed !== answers.denied;
          outcomes[isExact ? (answers.allowed ? 'allowed' : 'denied') : 'either']++;
          if (isSettled && !isExact) faults.push(`the model is not exact: ${JSON.stringify(attempt)}`);
          return faultsOf(client, attempt, answers);
        });
        faults.push(...(await Promise.all(checked)).flat());
      };
      for (let round = 0; round < roundCount; round++) {
        for (let left = 1 + random(3); left > 0; left--) {
          await roles.change();
          await check(false);
        }
        await roles.settle();
        await check(true);
      }
      expect(faults).toEqual([]);
      // Rules that always allow, always deny or never change would prove nothing.
      expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(roundCount / 10);
    });
  });
}
