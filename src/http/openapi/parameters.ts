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
   * Whether the parameter is written in the operation itself. Old clients expect that for some parameters, and others
   * differ in text from type to type. All other parameters are written once per document where the dialect allows it.
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
const fieldManager = query('fieldManager', 'string', 'Who makes the change. Required to apply.');
const fieldValidation: Parameter = {
  ...query('fieldValidation', 'string', 'What to do about unknown and duplicate fields: `Ignore`, `Warn` or `Strict`.'),
  inline: true,
};
const force = query('force', 'boolean', 'When applying, take over fields that belong to others.');

export const writeParameters = [dryRun, fieldManager, fieldValidation];
export const patchParameters = [...writeParameters, force];

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
const resourceVersion = query('resourceVersion', 'string', 'How fresh the answer must be, or where a watch begins.');
const resourceVersionMatch = query('resourceVersionMatch', 'string', 'How `resourceVersion` is meant for a list.');
const sendInitialEvents = query('sendInitialEvents', 'boolean', 'Begin a watch with the objects that there are.');
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
  timeoutSeconds,
  ...deleteParameters,
];

/** The parameters that operations of Swagger 2.0 refer to by name, instead of repeating them. */
export const sharedParameters: readonly Parameter[] = [
  namespaceParameter,
  pathParameter,
  pretty,
  ...patchParameters,
  ...listParameters,
  ...deleteParameters,
].filter(({ inline }) => !inline);

/** The fields of an options kind, which are query parameters of its subresource. */
export function optionParameters({ name: owner, fields }: StructSchema, descriptions: Descriptions): Parameter[] {
  return fields.map(({ name, schema }) => {
    const value = schema.type === 'list' ? schema.items : schema;
    const type = value.type === 'scalar' ? plainScalars[value.kind]?.schema.type : undefined;
    return {
      name,
      in: 'query',
      type: typeof type === 'string' ? type : 'string',
      ...describedBy(descriptions.field(owner, name)),
      inline: true,
    };
  });
}
