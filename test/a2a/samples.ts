/** An A2A 1.0 card with every member. */
export const CURRENT = {
  name: 'Translator',
  description: 'Translates texts.',
  supportedInterfaces: [
    { url: 'https://a.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'grpc.a.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0', tenant: 't1' },
    { url: 'mqtt.a.example/x', protocolBinding: 'https://a.example/bindings/mqtt', protocolVersion: '1.0' },
  ],
  provider: { organization: 'Acme', url: 'https://a.example' },
  version: '1.2.0',
  documentationUrl: 'https://a.example/docs',
  capabilities: {
    streaming: false,
    pushNotifications: true,
    extensions: [{ uri: 'https://a.example/x', description: 'X', required: false, params: { a: [1, { b: '' }] } }],
    extendedAgentCard: false,
  },
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT', description: 'A token' } },
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    mtls: { mtlsSecurityScheme: { description: 'Mutual TLS' } },
    oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.example/.well-known/openid-configuration' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://a.example/authorize',
            tokenUrl: 'https://a.example/token',
            scopes: { read: 'Reads' },
            pkceRequired: true,
          },
        },
        oauth2MetadataUrl: 'https://a.example/.well-known/oauth-authorization-server',
      },
    },
  },
  securityRequirements: [{ schemes: { oauth: { list: ['read'] } } }, { schemes: { bearer: { list: [] } } }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'translate',
      name: 'Translate',
      description: 'Translates a text.',
      tags: ['nlp', 'translation'],
      examples: ['Translate this.'],
      inputModes: ['text/plain'],
      outputModes: ['text/plain'],
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    },
  ],
  iconUrl: 'https://a.example/icon.png',
}

/** An A2A 0.3 card. */
export const OLDER = {
  protocolVersion: '0.3.0',
  name: 'Translator',
  description: 'Translates texts.',
  url: 'https://a.example/a2a',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [{ url: 'https://a.example/rest', transport: 'HTTP+JSON' }],
  provider: { organization: 'Acme', url: 'https://a.example' },
  version: '1.2.0',
  capabilities: {
    streaming: true,
    stateTransitionHistory: false,
    extensions: [{ uri: 'https://a.example/x', required: true, params: { a: 1 } }],
  },
  securitySchemes: {
    bearer: { type: 'http', scheme: 'bearer' },
    key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    mtls: { type: 'mutualTLS' },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known/openid-configuration' },
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { read: 'Reads' } } },
    },
  },
  security: [{ oauth: ['read'] }, { bearer: [] }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    { id: 'translate', name: 'Translate', description: 'Translates a text.', tags: ['nlp'], security: [{ key: [] }] },
  ],
  supportsAuthenticatedExtendedCard: false,
}
