import { joinedErrors } from '../../meta/joined-errors.ts';
import { type Decision, noOpinion, type RequestedResource } from '../authorizer.ts';
import { type Grant, missingRoleText } from './grant.ts';
import { matchesGroup, matchesPath, matchesResource, matchesVerb, resourceForms } from './rule-matches.ts';

/** The answer to one verb on one resource, for all names. */
interface Answer {
  /** For names that a rule lists before any rule allows all of them. */
  readonly byName: ReadonlyMap<string, Decision> | undefined;
  readonly byDefault: Decision | undefined;
}

type Answers = Map<string, Map<string, Map<string, Map<string, Answer>>>>;

const nothing: Answer = { byName: undefined, byDefault: undefined };
// Requests name resources and paths as they like: what is kept of them has its limits.
const maxAnswers = 4096;
const maxKeptLength = 256;

/**
 * The grants of one user in one scope, in the order in which they are asked. An answer is worked out once for each verb and
 * resource, and is a few lookups after that, however many rules there are.
 */
export class RuleSet {
  readonly grants: readonly Grant[];
  /** The decision when nothing here allows it. */
  readonly refusal: Decision;
  readonly #answers: Answers = new Map();
  readonly #paths = new Map<string, Map<string, Decision | undefined>>();
  #weight = 0;

  /** `outer` are the grants that have been asked before: their missing roles may be the reason as well. */
  constructor(grants: readonly Grant[], outer: readonly Grant[] = []) {
    this.grants = grants;
    const missing = [...outer, ...grants].filter(({ isMissing }) => isMissing);
    const errors = missing.map(({ binding }) => missingRoleText(binding.roleRef));
    this.refusal =
      errors.length === 0 ? noOpinion : { decision: 'no-opinion', reason: `RBAC: ${joinedErrors(errors)}` };
  }

  /** Undefined when no rule allows it. */
  onResource(verb: string, requested: RequestedResource): Decision | undefined {
    const { resource, group, subresource, name } = requested;
    const known = this.#answers.get(resource)?.get(verb)?.get(group)?.get(subresource);
    const { byName, byDefault } = known ?? this.#answer(verb, requested);
    return byName?.get(name) ?? byDefault;
  }

  /** Undefined when no rule allows it. */
  onPath(verb: string, path: string): Decision | undefined {
    const known = this.#paths.get(path);
    if (known?.has(verb)) return known.get(verb);
    const grant = this.grants.find(({ rules }) =>
      rules.some((rule) => matchesVerb(rule, verb) && matchesPath(rule, path)),
    );
    const decision = grant?.allowed;
    if (verb.length + path.length <= maxKeptLength) {
      this.#makeRoom(1);
      inner(this.#paths, path).set(verb, decision);
    }
    return decision;
  }

  #answer(verb: string, requested: RequestedResource): Answer {
    const { resource, group, subresource } = requested;
    const answer = this.#workOut(verb, requested);
    if (verb.length + resource.length + group.length + subresource.length <= maxKeptLength) {
      this.#makeRoom(1 + (answer.byName?.size ?? 0));
      inner(inner(inner(this.#answers, resource), verb), group).set(subresource, answer);
    }
    return answer;
  }

  #workOut(verb: string, { resource, group, subresource }: RequestedResource): Answer {
    const forms = resourceForms(resource, subresource);
    let byName: Map<string, Decision> | undefined;
    for (const grant of this.grants) {
      for (const rule of grant.rules) {
        if (!matchesVerb(rule, verb) || !matchesGroup(rule, group) || !matchesResource(rule, forms)) continue;
        if (rule.resourceNames.length === 0) return { byName, byDefault: grant.allowed };
        byName ??= new Map();
        for (const name of rule.resourceNames) if (!byName.has(name)) byName.set(name, grant.allowed);
      }
    }
    return byName === undefined ? nothing : { byName, byDefault: undefined };
  }

  #makeRoom(weight: number): void {
    this.#weight += weight;
    if (this.#weight <= maxAnswers) return;
    this.#answers.clear();
    this.#paths.clear();
    this.#weight = weight;
  }
}

function inner<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}
