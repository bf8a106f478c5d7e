import { isDeepStrictEqual } from 'node:util';
import type { Answers } from './attempt.ts';
import { type Action, isAllowed, type Policy, type Role, type Rule, type User } from './naive-evaluator.ts';

export interface LabelSelector {
  readonly key: string;
  readonly values: readonly string[];
}

export interface ModelledRole {
  readonly labels: Readonly<Record<string, string>>;
  /** Present in aggregated roles. */
  readonly selectors?: readonly LabelSelector[] | undefined;
  readonly rules: readonly Rule[];
}

/** `possible` are the rules that the role may have now. */
type State = Omit<ModelledRole, 'rules'> & { readonly possible: (readonly Rule[])[] };

/**
 * A literal model of cluster roles whose rules are aggregated in the background. Each write and each later aggregation
 * adds rules that an aggregated role may have. `settle` leaves only the final ones.
 */
export class NaiveAggregation {
  readonly #others: Policy;
  /** Aggregated roles, each after the ones that it may select. */
  readonly #order: readonly string[];
  readonly #roles = new Map<string, State>();

  /** `others` are bindings, and roles that never change. */
  constructor(others: Policy, order: readonly string[]) {
    this.#others = others;
    this.#order = order;
  }

  has(name: string): boolean {
    return this.#roles.has(name);
  }

  /** After a role was created or replaced. The controller writes only to the version that it has read. */
  put(name: string, { rules, ...role }: ModelledRole): void {
    this.#roles.set(name, { ...role, possible: [rules] });
    this.#aggregate();
  }

  relabel(name: string, labels: Readonly<Record<string, string>>): void {
    this.#roles.set(name, { ...this.#roles.get(name)!, labels });
    this.#aggregate();
  }

  select(name: string, selectors: readonly LabelSelector[]): void {
    this.#roles.set(name, { ...this.#roles.get(name)!, selectors });
    this.#aggregate();
  }

  delete(name: string): void {
    this.#roles.delete(name);
    this.#aggregate();
  }

  /** The final rules of an aggregated role. The roles that it selects must be settled. */
  settle(name: string): readonly Rule[] {
    const role = this.#roles.get(name)!;
    const [rules, ...more] = this.#aggregates(name, role);
    if (more.length > 0) throw new Error(`${name} selects roles that are not settled`);
    this.#roles.set(name, { ...role, possible: [rules!] });
    return rules!;
  }

  answers(user: User, action: Action): Answers {
    const { roles: fixed, bindings } = this.#others;
    const modelled = [...this.#roles].map(([name, { possible }]) =>
      possible.map((rules): Role => ({ kind: 'ClusterRole', metadata: { name }, rules })),
    );
    // A binding has one role, so that each role allows a request on its own.
    const byRole = [...fixed.map((role) => [role]), ...modelled].map((versions) =>
      versions.map((role) => isAllowed({ roles: [role], bindings }, user, action)),
    );
    return {
      allowed: byRole.some((answers) => answers.includes(true)),
      denied: byRole.every((answers) => answers.includes(false)),
    };
  }

  #aggregate(): void {
    for (const name of this.#order) {
      const role = this.#roles.get(name);
      if (role?.selectors === undefined) continue;
      for (const rules of this.#aggregates(name, role)) {
        if (!role.possible.some((known) => isDeepStrictEqual(known, rules))) role.possible.push(rules);
      }
    }
  }

  /** The rules in the order of the selectors, then of the names, for all combinations of possible rules. */
  #aggregates(name: string, { selectors = [] }: State): (readonly Rule[])[] {
    const others = [...this.#roles].filter(([other]) => other !== name).sort(([one], [two]) => (one < two ? -1 : 1));
    const selected = selectors.flatMap(({ key, values }) =>
      others.filter(([, { labels }]) => values.includes(labels[key] ?? '')).map(([, { possible }]) => possible),
    );
    let all: (readonly Rule[])[] = [[]];
    for (const possible of selected) all = all.flatMap((rules) => possible.map((more) => [...rules, ...more]));
    return all.map((rules) =>
      rules.filter((rule, at) => rules.findIndex((each) => isDeepStrictEqual(each, rule)) === at),
    );
  }
}
