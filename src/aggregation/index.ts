/**
 * The aggregation layer: APIServices map group versions to servers. Requests for group versions of other servers are
 * forwarded, and discovery and OpenAPI describe all servers together.
 */
export { type APIService, apiServiceName, apiServiceType, isAvailable, type RemoteAPIService } from './api-service.ts';
export { ApiServices } from './api-services.ts';
export { AutoRegistration, type LocalVersion } from './auto-registration.ts';
export { checkAvailability } from './availability-check.ts';
export { AvailabilityController } from './availability-controller.ts';
export { AvailabilityMetrics } from './availability-metrics.ts';
export { ExtensionAccess } from './extension-access.ts';
export { ExtensionProxy } from './extension-proxy.ts';
export { RemoteDiscovery } from './remote-discovery.ts';
export { RemoteOpenApi } from './remote-openapi.ts';
