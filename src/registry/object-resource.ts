import { actionVerbs } from './lifecycle/action.ts';
import { applyConfiguration } from './lifecycle/apply.ts';
import { create } from './lifecycle/create.ts';
import { deleteObject } from './lifecycle/delete.ts';
import { deleteCollection } from './lifecycle/delete-collection.ts';
import { patch } from './lifecycle/patch.ts';
import type { WriteEndpoint } from './lifecycle/prepare-update.ts';
import { projectionVerbs } from './lifecycle/projection.ts';
import { get, list } from './lifecycle/read.ts';
import { update } from './lifecycle/update.ts';
import { watch } from './lifecycle/watch.ts';
import type { Resource, Verbs } from './resource.ts';
import type { ResourceContext } from './resource-context.ts';
import type { ResourceDefinition, SubresourceDefinition, Verb } from './resource-definition.ts';

/**
 * Creates the resource of a stored type with the generic lifecycles, limited to these verbs. `special` returns the
 * verbs of subresources that the definition does not describe.
 */
export function objectResource(
  context: ResourceContext,
  { special, verbs: offeredVerbs }: { special: (name: string) => Verbs | undefined; verbs: readonly Verb[] },
): Resource {
  const { definition } = context;
  const subresources = definition.subresources.flatMap((subresource) => {
    const verbs = subresourceVerbs(context, subresource) ?? special(subresource.name);
    return verbs === undefined ? [] : [[subresource.name, pick(verbs, subresource.verbs)] as const];
  });
  const verbs: Verbs = {
    ...itemVerbs(context, 'main'),
    list: (request) => list(context, request),
    watch: (request) => watch(context, request),
    create: (request) => create(context, request),
    delete: (request) => deleteObject(context, request),
    deletecollection: (request) => deleteCollection(context, request),
  };
  return { definition, verbs: pick(verbs, offeredVerbs), subresources: new Map(subresources) };
}

function subresourceVerbs(context: ResourceContext, subresource: SubresourceDefinition): Verbs | undefined {
  const { name, projection, action } = subresource;
  if (projection !== undefined) return projectionVerbs(context, subresource, projection);
  if (action !== undefined) return actionVerbs(context, subresource, action);
  const endpoint = writeEndpoints[name] ?? (isWriteEndpoint(context.definition, name) ? name : undefined);
  return endpoint === undefined ? undefined : itemVerbs(context, endpoint);
}

function isWriteEndpoint({ rules }: ResourceDefinition, name: string): boolean {
  return rules.subresourceRules !== undefined && Object.hasOwn(rules.subresourceRules, name);
}

/** The subresources of any type that write a part of the object itself. */
const writeEndpoints: Readonly<Record<string, WriteEndpoint>> = { status: 'status', finalize: 'finalize' };

function itemVerbs(context: ResourceContext, endpoint: WriteEndpoint): Verbs {
  return {
    get: (request) => get(context, request),
    update: (request) => update(context, request, endpoint),
    patch: (request) => patch(context, request, endpoint),
    apply: (request) => applyConfiguration(context, request, endpoint),
  };
}

function pick(verbs: Verbs, wanted: readonly Verb[]): Verbs {
  // Apply is available where patch is.
  return Object.fromEntries(
    Object.entries(verbs).filter(([verb]) => wanted.includes((verb === 'apply' ? 'patch' : verb) as Verb)),
  );
}

/** The definition without unsupported subresources, so that discovery does not list them. */
export function withSupportedSubresources(
  definition: ResourceDefinition,
  isSpecial: (name: string) => boolean,
): ResourceDefinition {
  const isOffered = ({ name, projection, action, connects }: SubresourceDefinition) =>
    Object.hasOwn(writeEndpoints, name) ||
    connects ||
    projection !== undefined ||
    action !== undefined ||
    isWriteEndpoint(definition, name) ||
    isSpecial(name);
  return { ...definition, subresources: definition.subresources.filter(isOffered) };
}
