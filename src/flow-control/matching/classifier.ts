import type { UserInfo } from '../../meta/user.ts';
import type { FlowSchema, PolicyRules } from '../objects/flow-objects.ts';
import { type MatchedResource, matchesNonResourceRule, matchesResourceRule, matchesSubject } from './rule-matches.ts';

/** What schemas tell requests of a user apart by. */
export interface RequestTraits {
  readonly verb: string;
  /** Undefined for a path outside of the resources. */
  readonly target: MatchedResource | undefined;
  readonly path: string;
}

interface Candidate<T> {
  readonly schema: T;
  /** Those whose subjects include the user. */
  readonly rules: readonly PolicyRules[];
}

/** Finds the schema of a request: the first that matches, in the order of the schemas. */
export class Classifier<T extends { readonly object: FlowSchema }> {
  readonly #schemas: readonly T[];
  readonly #lastResort: T;
  /** What remains of the schemas for a user. Users are objects that live as long as a connection or a cached token. */
  readonly #candidates = new WeakMap<UserInfo, readonly Candidate<T>[]>();

  /** `lastResort` is for requests that match none, which only happens to users without the usual groups. */
  constructor(schemas: readonly T[], lastResort: T) {
    this.#schemas = schemas;
    this.#lastResort = lastResort;
  }

  classify(user: UserInfo, request: RequestTraits): T {
    let candidates = this.#candidates.get(user);
    if (candidates === undefined) {
      candidates = this.#candidatesOf(user);
      this.#candidates.set(user, candidates);
    }
    for (const { schema, rules } of candidates) if (rules.some((rule) => matches(rule, request))) return schema;
    return this.#lastResort;
  }

  #candidatesOf(user: UserInfo): Candidate<T>[] {
    return this.#schemas.flatMap((schema) => {
      const rules = (schema.object.spec?.rules ?? []).filter(({ subjects = [] }) =>
        subjects.some((subject) => matchesSubject(subject, user)),
      );
      return rules.length === 0 ? [] : [{ schema, rules }];
    });
  }
}

function matches(rules: PolicyRules, { verb, target, path }: RequestTraits): boolean {
  if (target !== undefined) {
    return rules.resourceRules?.some((rule) => matchesResourceRule(rule, verb, target)) ?? false;
  }
  return rules.nonResourceRules?.some((rule) => matchesNonResourceRule(rule, verb, path)) ?? false;
}
