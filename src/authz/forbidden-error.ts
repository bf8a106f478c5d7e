import { goQuote } from '../meta/go-quote.ts';
import { forbidden, forbiddenPath, type StatusError } from '../meta/status-error.ts';
import type { Attributes } from './authorizer.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Creates the 403 error for a refused request. `reason` is that of the authorizer and may be empty. */
export function forbiddenError(attributes: Attributes, reason: string): StatusError {
  // Names come from the request. Like kube-apiserver, escape them so that no browser interprets the text as markup.
  const refusal = refusalText(attributes).replace(/[&<>]/g, (character) => entities[character]!);
  const detail = reason === '' ? refusal : `${refusal}: ${reason}`;
  const { resource } = attributes;
  return resource === undefined ? forbiddenPath(detail) : forbidden(resource, resource.name, detail);
}

function refusalText({ user, verb, resource, path }: Attributes): string {
  const who = `User ${goQuote(user.name)} cannot ${verb}`;
  if (resource === undefined) return `${who} path ${goQuote(path)}`;
  const { group, subresource, namespace } = resource;
  const what = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  return `${who} resource ${goQuote(what)} in API group ${goQuote(group)} ${where}`;
}
