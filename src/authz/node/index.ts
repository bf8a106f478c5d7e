/**
 * Node authorization: identifies users that are nodes, tracks the objects that each node needs for its pods, and
 * authorizes nodes accordingly.
 */
export { NodeAuthorizer, type NodeAuthorizerOptions } from './node-authorizer.ts';
export { type GraphKind, NodeGraph } from './node-graph.ts';
export { nodeOf } from './node-identity.ts';
export { configMapNames, secretNames } from './pod-references.ts';
