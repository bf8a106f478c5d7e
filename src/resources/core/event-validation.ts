import { type FieldError, invalidValue, requiredValue } from '../../meta/field-error.ts';
import { labelKeyErrors } from '../../meta/label-syntax.ts';
import type { Event } from './event-types.ts';

const maxCharacters = 128;
const maxMessageCharacters = 1024;

/**
 * Validates the events of both groups. An event without `eventTime` comes from an old client and is hardly checked.
 * The two groups use different names for the field of the reporting controller.
 */
export function validateEvent(
  event: Event,
  { controllerField }: { readonly controllerField: 'reportingComponent' | 'reportingController' },
): FieldError[] {
  if (!event.eventTime)
    return namespaceErrors(event, { clusterEventNamespaces: ['default'], allowsOtherNamespace: false });
  return [
    ...namespaceErrors(event, { clusterEventNamespaces: ['default', 'kube-system'], allowsOtherNamespace: true }),
    ...controllerErrors(event.reportingComponent ?? '', controllerField),
    ...shortTextErrors(event.reportingInstance ?? '', 'reportingInstance'),
    ...shortTextErrors(event.action ?? '', 'action'),
    ...shortTextErrors(event.reason ?? '', 'reason'),
    ...lengthErrors(event.message ?? '', maxMessageCharacters, 'message'),
  ];
}

function namespaceErrors(
  { metadata, involvedObject }: Event,
  {
    clusterEventNamespaces,
    allowsOtherNamespace,
  }: { clusterEventNamespaces: readonly string[]; allowsOtherNamespace: boolean },
): FieldError[] {
  const { namespace: own = '' } = metadata;
  const involvedNamespace = involvedObject?.namespace ?? '';
  const fits =
    involvedNamespace === ''
      ? own === '' || clusterEventNamespaces.includes(own)
      : allowsOtherNamespace || involvedNamespace === own;
  return fits ? [] : [invalidValue('involvedObject.namespace', involvedNamespace, 'does not match event.namespace')];
}

function controllerErrors(name: string, path: string): FieldError[] {
  const errors = labelKeyErrors(name).map((detail) => invalidValue(path, name, detail));
  return name === '' ? [requiredValue(path), ...errors] : errors;
}

function shortTextErrors(text: string, path: string): FieldError[] {
  return text === '' ? [requiredValue(path)] : lengthErrors(text, maxCharacters, path);
}

function lengthErrors(text: string, max: number, path: string): FieldError[] {
  return Buffer.byteLength(text) > max ? [invalidValue(path, '', `can have at most ${max} characters`)] : [];
}
