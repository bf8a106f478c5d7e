/**
 * The machine-readable description of the API: one Swagger 2.0 document and an OpenAPI 3.0 document per group version,
 * in JSON and in protobuf. Everything is derived from the resource definitions and their schemas, and is built on
 * demand.
 */
export { OpenApi } from './openapi.ts';
export type { RemoteOpenApiDocuments, SwaggerContent } from './remote-swagger.ts';
export { customMediaTypes, servedMediaTypes } from './served-media-types.ts';
