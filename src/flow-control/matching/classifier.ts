import type { UserInfo } from '../../meta/user.ts';
import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
} from '../../resources/flowcontrol/flow-schema-types.ts';
import { type MatchedResource, matchesNonResourceRule, matchesResourceRule, matchesSubject } from './rule-matches.ts';

/** The attributes by which schemas distinguish the requests of a user. */
export interface RequestTraits {
  readonly verb: string;
  /** Undefined for a path outside of the resources. */
  readonly target: MatchedResource | undefined;
  readonly path: string;
}

interface Candidate<T, R> {
  readonly schema: T;
  /** The rules whose subjects include the user. */
  readonly rules: readonly R[];
}

/** The schemas that can match a user, in order. */
interface Candidates<T> {
  readonly resources: readonly Candidate<T, ResourcePolicyRule>[];
  readonly paths: readonly Candidate<T, NonResourcePolicyRule>[];
}

/** Finds the schema of a request: the first that matches, in the order of the schemas. */
export class Classifier<T extends { readonly object: FlowSchema }> {
  readonly #schemas: readonly T[];
  readonly #lastResort: T;
  /** Users are objects that live as long as a connection or a cached token. */
  readonly #candidates = new WeakMap<UserInfo, Candidates<T>>();
  /** The candidates of the last request: consecutive requests often have the same user. */
  #lastUser: UserInfo | undefined;
  #last: Candidates<T> = { resources: [], paths: [] };

  /** `lastResort` is for requests that match no schema, which happens only for users without the standard groups. */
  constructor(schemas: readonly T[], lastResort: T) {
    this.#schemas = schemas;
    this.#lastResort = lastResort;
  }

  classify(user: UserInfo, { verb, target, path }: RequestTraits): T {
    const { resources, paths } = user === this.#lastUser ? this.#last : this.#candidatesOf(user);
    if (target === undefined) {
      for (const { schema, rules } of paths) {
        for (const rule of rules) if (matchesNonResourceRule(rule, verb, path)) return schema;
      }
      return this.#lastResort;
    }
    for (const { schema, rules } of resources) {
      for (const rule of rules) if (matchesResourceRule(rule, verb, target)) return schema;
    }
    return this.#lastResort;
  }

  #candidatesOf(user: UserInfo): Candidates<T> {
    let candidates = this.#candidates.get(user);
    if (candidates === undefined) {
      candidates = {
        resources: this.#rulesFor(user, ({ resourceRules }) => resourceRules),
        paths: this.#rulesFor(user, ({ nonResourceRules }) => nonResourceRules),
      };
      this.#candidates.set(user, candidates);
    }
    this.#lastUser = user;
    this.#last = candidates;
    return candidates;
  }

  #rulesFor<R>(user: UserInfo, pick: (rules: PolicyRulesWithSubjects) => readonly R[] | undefined): Candidate<T, R>[] {
    return this.#schemas.flatMap((schema) => {
      const rules = (schema.object.spec?.rules ?? [])
        .filter(({ subjects }) => subjects?.some((subject) => matchesSubject(subject, user)))
        .flatMap((each) => pick(each) ?? []);
      return rules.length === 0 ? [] : [{ schema, rules }];
    });
  }
}
