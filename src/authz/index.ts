/**
 * What a user may do. Authorizers judge attributes of a request (user, verb, and a resource or a path), and the chain
 * asks them in order. Who the user is has been settled in `authn`; how a request becomes attributes is known to `http`.
 */
export type {
  Attributes,
  Authorizer,
  Decision,
  PathAttributes,
  RequestedResource,
  RequestedSelectors,
  ResourceAttributes,
  SelectorRequirement,
} from './authorizer.ts';
export { forbiddenError } from './forbidden-error.ts';
export type { NonResourceRule, ResourceRule, RuleResolver } from './rule-resolver.ts';
export { fieldRequirements, labelRequirements } from './selector-requirements.ts';
