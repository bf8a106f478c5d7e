import type { ResourceObject } from '../meta/object.ts';
import type { ResourceRules, StorageLayout, ValidatedWrite } from '../registry/resource-definition.ts';

type Conversion = NonNullable<StorageLayout['conversion']>;
type Change = (object: ResourceObject) => void;

/**
 * Applies rules that are written for the stored version to another version, by converting the objects. The field paths
 * in errors are those of the stored version, as in kube-apiserver.
 */
export function rulesInVersion(rules: Partial<ResourceRules>, conversion: Conversion): Partial<ResourceRules> {
  const { toStored } = conversion;
  const { setDefaults, nameOf, validate, validateCreate, validateUpdate, validateStatus, validateSteps } = rules;
  const { requiredLabel, warnings, prepareCreate, prepareUpdate, prepareStatusUpdate } = rules;
  const storedWrite = ({ oldObject, endpoint }: ValidatedWrite): ValidatedWrite => ({
    oldObject: oldObject && toStored(oldObject),
    endpoint,
  });
  const changed = (object: ResourceObject, change: Change): void => changeThrough(conversion, object, change);
  return {
    ...rules,
    ...(setDefaults && {
      setDefaults: (object, clock) => changed(object, (converted) => setDefaults(converted, clock)),
    }),
    ...(nameOf && { nameOf: (object) => nameOf(toStored(object)) }),
    ...(validate && { validate: (object, old) => validate(toStored(object), old && toStored(old)) }),
    ...(validateCreate && { validateCreate: (object) => validateCreate(toStored(object)) }),
    ...(validateUpdate && { validateUpdate: (next, old) => validateUpdate(toStored(next), toStored(old)) }),
    ...(validateStatus && { validateStatus: (next, old) => validateStatus(toStored(next), toStored(old)) }),
    ...(validateSteps && {
      validateSteps: (object, write) => validateSteps(toStored(object), storedWrite(write)),
    }),
    ...(requiredLabel && {
      requiredLabel: (object, write) => requiredLabel(toStored(object), storedWrite(write)),
    }),
    ...(warnings && { warnings: (object, old) => warnings(toStored(object), old && toStored(old)) }),
    ...(prepareCreate && {
      prepareCreate: (object, ...given) => changed(object, (converted) => prepareCreate(converted, ...given)),
    }),
    ...(prepareUpdate && {
      prepareUpdate: (next, old, clock) => changed(next, (converted) => prepareUpdate(converted, toStored(old), clock)),
    }),
    ...(prepareStatusUpdate && {
      prepareStatusUpdate: (next, old, clock) =>
        changed(next, (converted) => prepareStatusUpdate(converted, toStored(old), clock)),
    }),
  };
}

/** Applies the change to the converted object and copies the result back. Kind and version stay unchanged. */
function changeThrough({ toStored, fromStored }: Conversion, object: ResourceObject, change: Change): void {
  const converted = toStored(object);
  change(converted);
  const { kind: _kind, apiVersion: _apiVersion, ...fields } = fromStored(converted);
  for (const field of Object.keys(object)) {
    if (field !== 'kind' && field !== 'apiVersion' && !Object.hasOwn(fields, field)) object[field] = undefined;
  }
  Object.assign(object, fields);
}
