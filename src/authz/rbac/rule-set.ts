import { joinedErrors } from '../../meta/joined-errors.ts';
import { type Decision, noOpinion, type RequestedResource } from '../authorizer.ts';
import { type Grant, missingRoleText } from './grant.ts';
import { matchesGroup, matchesPath, matchesResource, matchesVerb, resourcePatterns } from './rule-matches.ts';

/** The decisions on one verb and resource, for all object names. */
interface Decisions {
  /** Names listed by rules that precede any rule for all names. */
  readonly byName: ReadonlyMap<string, Decision> | undefined;
  readonly byDefault: Decision | undefined;
}

type DecisionCache = Map<string, Map<string, Map<string, Map<string, Decisions>>>>;

const nothing: Decisions = { byName: undefined, byDefault: undefined };
// Clients choose the resources and paths in requests, so the cache is bounded.
const maxCached = 4096;
const maxKeptLength = 256;

/**
 * The grants of one user in one scope, in evaluation order. Decisions are computed once per verb and resource. After
 * that a decision takes a few map lookups, independent of the number of rules.
 */
export class RuleSet {
  readonly grants: readonly Grant[];
  /** The decision when no rule allows the request. */
  readonly refusal: Decision;
  readonly #cache: DecisionCache = new Map();
  readonly #paths = new Map<string, Map<string, Decision | undefined>>();
  #weight = 0;

  /** `outer` are the grants evaluated before these. Their missing roles are part of the refusal reason. */
  constructor(grants: readonly Grant[], outer: readonly Grant[] = []) {
    this.grants = grants;
    const missing = [...outer, ...grants].filter(({ isMissing }) => isMissing);
    const errors = missing.map(({ binding }) => missingRoleText(binding.roleRef));
    this.refusal =
      errors.length === 0 ? noOpinion : { decision: 'no-opinion', reason: `RBAC: ${joinedErrors(errors)}` };
  }

  /** Returns undefined when no rule allows the request. */
  onResource(verb: string, requested: RequestedResource): Decision | undefined {
    const { resource, group, subresource, name } = requested;
    const known = this.#cache.get(resource)?.get(verb)?.get(group)?.get(subresource);
    const { byName, byDefault } = known ?? this.#computeAndCache(verb, requested);
    return byName?.get(name) ?? byDefault;
  }

  /** Returns undefined when no rule allows the request. */
  onPath(verb: string, path: string): Decision | undefined {
    const known = this.#paths.get(path);
    if (known?.has(verb)) return known.get(verb);
    const grant = this.grants.find(({ rules }) =>
      rules.some((rule) => matchesVerb(rule, verb) && matchesPath(rule, path)),
    );
    const decision = grant?.allowed;
    if (verb.length + path.length <= maxKeptLength) {
      this.#reserve(1);
      getOrCreate(this.#paths, path).set(verb, decision);
    }
    return decision;
  }

  #computeAndCache(verb: string, requested: RequestedResource): Decisions {
    const { resource, group, subresource } = requested;
    const decisions = this.#compute(verb, requested);
    if (verb.length + resource.length + group.length + subresource.length <= maxKeptLength) {
      this.#reserve(1 + (decisions.byName?.size ?? 0));
      getOrCreate(getOrCreate(getOrCreate(this.#cache, resource), verb), group).set(subresource, decisions);
    }
    return decisions;
  }

  #compute(verb: string, { resource, group, subresource }: RequestedResource): Decisions {
    const patterns = resourcePatterns(resource, subresource);
    let byName: Map<string, Decision> | undefined;
    for (const grant of this.grants) {
      for (const rule of grant.rules) {
        if (!matchesVerb(rule, verb) || !matchesGroup(rule, group) || !matchesResource(rule, patterns)) continue;
        if (rule.resourceNames.length === 0) return { byName, byDefault: grant.allowed };
        byName ??= new Map();
        for (const name of rule.resourceNames) if (!byName.has(name)) byName.set(name, grant.allowed);
      }
    }
    return byName === undefined ? nothing : { byName, byDefault: undefined };
  }

  #reserve(weight: number): void {
    this.#weight += weight;
    if (this.#weight <= maxCached) return;
    this.#cache.clear();
    this.#paths.clear();
    this.#weight = weight;
  }
}

function getOrCreate<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}
