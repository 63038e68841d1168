"""The MQTT client, the embedded broker, and what both need to use a broker outside."""
