/**
 * Authorization: decides what a user may do. Authorizers examine attributes (user, verb, and a resource or a path); the
 * chain calls them in order. Authentication is in `authn`; `http` derives the attributes from a request.
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
export { fieldRequirements, labelRequirements, readSelectors, wellFormed } from './selector-requirements.ts';
