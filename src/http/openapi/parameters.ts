import type { StructSchema } from '../../schema/model.ts';
import { type Descriptions, describedBy } from './descriptions.ts';
import { plainScalars } from './scalar-schemas.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: string;
  readonly description?: string;
  readonly required?: boolean;
  /**
   * Whether the parameter is written where it is used. Old clients expect that for some parameters, and names differ
   * from type to type. All other parameters are written once per document where the dialect allows it.
   */
  readonly inline?: boolean;
}

function query(name: string, type: string, description: string): Parameter {
  return { name, in: 'query', type, description };
}

export const pretty = query('pretty', 'string', 'Indent the answer. Without it the user agent decides.');
export const namespaceParameter: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace of the objects.',
  required: true,
};

export function nameParameter(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `name of the ${kind}`, required: true, inline: true };
}

export const pathParameter: Parameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  description: 'The path that is passed on.',
  required: true,
};

const dryRun: Parameter = {
  ...query('dryRun', 'string', '`All` does everything but keep the result.'),
  inline: true,
};
const fieldManager = query('fieldManager', 'string', 'Who makes the change.');
const patchFieldManager = query('fieldManager', 'string', 'Who makes the change. Required to apply.');
const fieldValidation: Parameter = {
  ...query('fieldValidation', 'string', 'What to do about unknown and duplicate fields: `Ignore`, `Warn` or `Strict`.'),
  inline: true,
};
const force = query('force', 'boolean', 'When applying, take over fields that belong to others.');

export const writeParameters = [dryRun, fieldManager, fieldValidation];
export const patchParameters = [dryRun, patchFieldManager, fieldValidation, force];

const gracePeriodSeconds = query(
  'gracePeriodSeconds',
  'integer',
  'How long the object may take to end; 0 deletes it now.',
);
const ignoreReadErrors = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'Delete even what can no longer be read from storage.',
);
const orphanDependents = query('orphanDependents', 'boolean', 'Older form of `propagationPolicy`.');
const propagationPolicy = query(
  'propagationPolicy',
  'string',
  'What happens to dependents: `Orphan`, `Background` or `Foreground`.',
);

export const deleteParameters = [dryRun, gracePeriodSeconds, ignoreReadErrors, orphanDependents, propagationPolicy];

const continueParameter = query('continue', 'string', 'The token of the previous part of the list.');
const fieldSelector = query('fieldSelector', 'string', 'Only objects whose fields match.');
const labelSelector = query('labelSelector', 'string', 'Only objects whose labels match.');
const limit = query('limit', 'integer', 'At most so many objects; the answer has a token for the rest.');
export const resourceVersion = query(
  'resourceVersion',
  'string',
  'How fresh the answer must be, or where a watch begins.',
);
const resourceVersionMatch = query('resourceVersionMatch', 'string', 'How `resourceVersion` is meant for a list.');
const sendInitialEvents = query('sendInitialEvents', 'boolean', 'Begin a watch with the objects that there are.');
const shardSelector = query(
  'shardSelector',
  'string',
  'For lists that are divided into shards. The server ignores it.',
);
const timeoutSeconds = query('timeoutSeconds', 'integer', 'How long the request may last.');

export const listParameters = [
  query('allowWatchBookmarks', 'boolean', 'Tell a watch from time to time how far it has come.'),
  continueParameter,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
  query('watch', 'boolean', 'Follow the changes instead of listing the objects.'),
];

export const deleteCollectionParameters = [
  continueParameter,
  fieldSelector,
  labelSelector,
  limit,
  resourceVersion,
  resourceVersionMatch,
  sendInitialEvents,
  shardSelector,
  timeoutSeconds,
  ...deleteParameters,
];

/** The parameters that all types use. Operations of Swagger 2.0 refer to them by name, instead of repeating them. */
export const sharedParameters: readonly Parameter[] = [
  namespaceParameter,
  pathParameter,
  pretty,
  ...writeParameters,
  ...patchParameters,
  ...listParameters,
  ...deleteParameters,
].filter(({ inline }) => !inline);

/**
 * The fields of an options kind, which are query parameters of its subresource. A time is not described, as in
 * kube-apiserver.
 */
export function optionParameters({ name: owner, fields }: StructSchema, descriptions: Descriptions): Parameter[] {
  return fields.flatMap(({ name, schema }): Parameter | [] => {
    const value = schema.type === 'list' ? schema.items : schema;
    const type = value.type === 'scalar' ? plainScalars[value.kind]?.schema.type : undefined;
    if (typeof type !== 'string') return [];
    return { name, in: 'query', type, ...describedBy(descriptions.field(owner, name)) };
  });
}
