/** Makes one request in a process whose environment sets the trusted certificates and the proxy. */
import { fetchTransport, Secret, TransportError } from "../../../platform";

fetchTransport({ baseUrl: process.argv[2] ?? "", key: new Secret("sk_live_0123456789abcdef") }, { timeoutMs: 120_000 })
  .send({ family: "platform", method: "GET", path: "/v1/identity/whoami" })
  .then(
    ({ status }) => console.log(JSON.stringify({ status })),
    (error: unknown) => {
      if (!(error instanceof TransportError)) throw error;
      console.log(JSON.stringify({ failure: error.failure, message: error.message }));
    },
  );
