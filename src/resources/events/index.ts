import type { ResourceDefinition } from '../../registry/resource-definition.ts';
import { defineResource } from '../define.ts';
import { textFields } from '../select-field.ts';
import { eventFromStored, eventToStored } from './event-conversion.ts';
import { eventRules } from './event-rules.ts';
import { Event } from './event-types.ts';

/** The `events.k8s.io` group: the events of the core group with other field names. */
const v1 = { group: 'events.k8s.io', version: 'v1' };

export const eventsResources: readonly ResourceDefinition[] = [
  defineResource(v1, 'events', {
    createsOnUpdate: true,
    schema: Event,
    shortNames: ['ev'],
    fieldSelectors: {
      fields: textFields(
        'regarding.kind',
        'regarding.namespace',
        'regarding.name',
        'regarding.uid',
        'regarding.apiVersion',
        'regarding.resourceVersion',
        'regarding.fieldPath',
        'reason',
        'reportingController',
        'type',
      ),
      refusal: 'notSupported',
    },
    storage: { group: '', conversion: { toStored: eventToStored, fromStored: eventFromStored } },
    ...eventRules,
  }),
];
