/**
 * What nodes may do: users that are nodes, the graph of what each of them needs for the pods that run on it, and the
 * authorizer over both.
 */
export { NodeAuthorizer, type NodeAuthorizerOptions } from './node-authorizer.ts';
export { type GraphKind, NodeGraph } from './node-graph.ts';
export { nodeOf } from './node-identity.ts';
export { configMapNames, secretNames } from './pod-references.ts';
