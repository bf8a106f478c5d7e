/**
 * Types that are added to the server while it runs. Custom resource definitions are followed, their names and
 * conditions maintained, and their types served through `registry` by the same schema model and lifecycles as built-in
 * types.
 */
export { noneConverter, webhookConverter } from './conversion/index.ts';
export { CustomResources, definitionType, groupOf } from './custom-resources.ts';
export { DefinitionController } from './definition-controller.ts';
