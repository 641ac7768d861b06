package io.github.verbs4j;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code in the documentation of public classes and in the guide compiles. */
class SnippetTest {
    private static final Pattern SNIPPET = Pattern.compile("<pre>\\{@code\\n(.*?)\\s*\\* }</pre>", Pattern.DOTALL);

    /** In the guide, with what it takes as given: a comment that is not shown. */
    private static final Pattern IN_GUIDE =
            Pattern.compile("(?:<!-- given: (.*?) -->\\n)?```java\\n(.*?)```", Pattern.DOTALL);

    private static final String GIVEN = """
            DeviceContext context, SendQueue sends, ReceiveQueue receives, Completions completions,
            MemoryRegion memory, MemoryWindow window, RemoteRegion remote, DatagramSendQueue datagrams,
            AddressHandle handle, RcQueuePair reset, UdQueuePair unconnected, ProtectionDomain domain,
            DatagramDestination destination""";

    private static final String FRAME = """
            import io.github.verbs4j.*;
            import io.github.verbs4j.attr.*;
            import io.github.verbs4j.cm.*;
            import io.github.verbs4j.doctor.*;
            import io.github.verbs4j.host.*;
            import java.net.InetAddress;
            import java.net.InetSocketAddress;
            import java.time.Duration;
            import java.util.Set;
            import java.util.concurrent.ExecutorService;
            import java.util.concurrent.Executors;

            abstract class Snippet {
                interface Peer {
                    void tell(RemoteRegion region);
                }

                abstract void handle(long id, long byteLength);

                abstract void handle(long id);

                abstract void log(String format, Object... arguments);

                void run(%s) throws Exception {
            %s
                }
            }
            """;

    @Test
    void shouldCompile(@TempDir Path output) throws IOException {
        List<String> snippets = snippets();
        assertTrue(snippets.size() >= 2, () -> "only " + snippets);
        for (String snippet : snippets) {
            requireCompiles(GIVEN, snippet, output);
        }
    }

    @Test
    void shouldCompileTheGuide(@TempDir Path output) throws IOException {
        List<MatchResult> snippets = IN_GUIDE.matcher(Files.readString(Path.of("../docs/guide.md")))
                .results()
                .toList();
        assertTrue(snippets.size() >= 2, () -> "only " + snippets);
        for (MatchResult snippet : snippets) {
            String given = Objects.requireNonNullElse(snippet.group(1), "");
            requireCompiles(given, snippet.group(2).replaceAll("(?m)^\\s*\\.\\.\\.$", ""), output);
        }
    }

    private static void requireCompiles(String given, String snippet, Path output) {
        List<?> errors = errors(FRAME.formatted(given, snippet), output);
        assertTrue(errors.isEmpty(), () -> errors + " in\n" + snippet);
    }

    private static List<String> snippets() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher matcher = SNIPPET.matcher(Files.readString(source));
                while (matcher.find()) {
                    found.add(matcher.group(1).replaceAll("(?m)^\\s*\\* ?", ""));
                }
            }
        }
        return found;
    }

    private static List<Diagnostic<? extends JavaFileObject>> errors(String program, Path output) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///Snippet.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return program;
                    }
                };
        List<String> options =
                List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", output.toString());
        compiler.getTask(null, null, diagnostics, options, null, List.of(source))
                .call();
        return diagnostics.getDiagnostics().stream()
                .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
                .toList();
    }
}
