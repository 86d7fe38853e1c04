import { blamingParams } from '@changgu/sdk/catalogue';
import { isJSONRPCErrorResponse, type Server, type Transport } from '@modelcontextprotocol/server';

/** The server, whose refusals of params of the wrong shape say so by their code. */
export function withParamsBlamed(server: Server): Server {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      send(
        isJSONRPCErrorResponse(message)
          ? { ...message, error: blamingParams(message.error) }
          : message,
        options,
      );
    return connect(transport);
  };
  return server;
}
