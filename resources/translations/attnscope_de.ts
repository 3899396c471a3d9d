<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>QApplication</name>
    <message>
        <source>Vision transformers with efficient attention, side by side.</source>
        <translation>Vision-Transformer mit effizienter Attention, nebeneinander.</translation>
    </message>
    <message>
        <source>Compare on the demo image right away.</source>
        <translation>Sofort am Demobild vergleichen.</translation>
    </message>
    <message>
        <source>light, dark or system; may be repeated for screenshots.</source>
        <translation>light, dark oder system; für Bildschirmfotos mehrfach möglich.</translation>
    </message>
    <message>
        <source>en, de, zh_CN or system.</source>
        <translation>en, de, zh_CN oder system.</translation>
    </message>
    <message>
        <source>Name of the model.</source>
        <translation>Name des Modells.</translation>
    </message>
    <message>
        <source>Backend to select; may be repeated.</source>
        <translation>Backend, das ausgewählt wird; mehrfach möglich.</translation>
    </message>
    <message>
        <source>Your own attention: a TorchScript module or a library, which runs with all your rights; may be repeated.</source>
        <translation>Eigene Attention: ein TorchScript-Modul oder eine Bibliothek, die mit allen Ihren Rechten läuft; mehrfach möglich.</translation>
    </message>
    <message>
        <source>Run, save a screenshot of the window once everything has been measured, and exit. With several themes or sizes: FILE-dark-1024x640.png and so on.</source>
        <translation>Ausführen, ein Bildschirmfoto des Fensters speichern, sobald alles gemessen ist, und beenden. Bei mehreren Designs oder Größen: FILE-dark-1024x640.png und so weiter.</translation>
    </message>
    <message>
        <source>Run what the screen shows before the screenshot.</source>
        <translation>Vor dem Bildschirmfoto ausführen, was die Ansicht zeigt.</translation>
    </message>
    <message>
        <source>Seconds to wait at least before the screenshot.</source>
        <translation>Sekunden, die vor dem Bildschirmfoto mindestens gewartet wird.</translation>
    </message>
    <message>
        <source>Screen to show first and to open files on: compare, live, layers, batch, scale, train, results or neighbours.</source>
        <translation>Ansicht, die zuerst gezeigt wird und in der Dateien geöffnet werden: compare, live, layers, batch, scale, train, results oder neighbours.</translation>
    </message>
    <message>
        <source>Window size, for example 1280x800; may be repeated for screenshots.</source>
        <translation>Fenstergröße, zum Beispiel 1280x800; für Bildschirmfotos mehrfach möglich.</translation>
    </message>
    <message>
        <source>Settings file to use instead of the default one.</source>
        <translation>Einstellungsdatei, die statt der üblichen verwendet wird.</translation>
    </message>
    <message>
        <source>Images or a checkpoint to open.</source>
        <translation>Bilder oder ein Checkpoint zum Öffnen.</translation>
    </message>
    <message>
        <source>--size %1: invalid window size; use WIDTHxHEIGHT, for example 1280x800.</source>
        <translation>--size %1: ungültige Fenstergröße; verwenden Sie BREITExHÖHE, zum Beispiel 1280x800.</translation>
    </message>
    <message>
        <source>--after %1: invalid time; use seconds from 0 to 3600.</source>
        <translation>--after %1: ungültige Zeit; verwenden Sie Sekunden von 0 bis 3600.</translation>
    </message>
    <message>
        <source>--screen %1: unknown screen; the screens are %2.</source>
        <translation>--screen %1: unbekannte Ansicht; die Ansichten sind %2.</translation>
    </message>
    <message>
        <source>--theme %1: unknown theme; the themes are light, dark and system.</source>
        <translation>--theme %1: unbekanntes Design; die Designs sind light, dark und system.</translation>
    </message>
    <message>
        <source>--language %1: there is no such translation; give en, de, zh_CN or system.</source>
        <translation>--language %1: Diese Übersetzung gibt es nicht; möglich sind en, de, zh_CN und system.</translation>
    </message>
    <message>
        <source>Opens a window of its own even if there is one. Otherwise files go to that window, unless other options are given.</source>
        <translation>Öffnet ein eigenes Fenster, auch wenn es schon eines gibt. Sonst gehen Dateien an dieses Fenster, sofern keine anderen Optionen angegeben sind.</translation>
    </message>
    <message>
        <source>Results store to use instead of the default one.</source>
        <translation>Ergebnisspeicher anstelle des üblichen.</translation>
    </message>
    <message>
        <source>Checkpoint, or untrained; may be repeated for further networks to compare.</source>
        <translation>Checkpoint oder untrained; für weitere Netze im Vergleich mehrfach möglich.</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
</context>
<context>
    <name>attnscope</name>
    <message>
        <source>%1 weights</source>
        <translation>Gewichte: %1</translation>
    </message>
    <message>
        <source>nowhere</source>
        <translation>nirgends</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation>Mechanismus</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Tokens so far</source>
        <translation>Bisherige Token</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Median time of one token, all heads, one thread</source>
        <translation>Median der Zeit eines Tokens, alle Köpfe, ein Thread</translation>
    </message>
    <message>
        <source>5 % – 95 %</source>
        <translation>5 % – 95 %</translation>
    </message>
    <message>
        <source>Percentiles of the time of one token</source>
        <translation>Perzentile der Zeit eines Tokens</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean time of the same tokens: what happens at the end of a segment counts with its frequency</source>
        <translation>Mittlere Zeit derselben Token: Was am Ende eines Segments geschieht, zählt mit seiner Häufigkeit</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>What is kept between two tokens, all heads</source>
        <translation>Was zwischen zwei Token aufbewahrt wird, alle Köpfe</translation>
    </message>
    <message>
        <source>Mult.-adds</source>
        <translation>Mult.-Adds</translation>
    </message>
    <message>
        <source>Multiply-adds of one token, all heads</source>
        <translation>Multiply-Adds eines Tokens, alle Köpfe</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Relative error of the timed tokens, with respect to softmax over all tokens so far, in float64</source>
        <translation>Relativer Fehler der gemessenen Token, bezogen auf softmax über alle bisherigen Token, in float64</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Number of timed tokens</source>
        <translation>Anzahl der gemessenen Token</translation>
    </message>
    <message>
        <source>Time ∝ tᵖ</source>
        <translation>Zeit ∝ tᵖ</translation>
    </message>
    <message>
        <source>p, the exponent of the time of a token over all positions t</source>
        <translation>p, der Exponent der Zeit eines Tokens über alle Positionen t</translation>
    </message>
    <message>
        <source>State ∝ tᵖ</source>
        <translation>Zustand ∝ tᵖ</translation>
    </message>
    <message>
        <source>p, the exponent of the state over all positions t</source>
        <translation>p, der Exponent des Zustands über alle Positionen t</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>Schneller</translation>
    </message>
    <message>
        <source>Position from which a token takes less time than with the cache</source>
        <translation>Position, ab der ein Token weniger Zeit braucht als mit dem Cache</translation>
    </message>
    <message>
        <source>Smaller</source>
        <translation>Kleiner</translation>
    </message>
    <message>
        <source>Position from which its state is smaller than the cache</source>
        <translation>Position, ab der sein Zustand kleiner als der Cache ist</translation>
    </message>
    <message>
        <source>Less work</source>
        <translation>Sparsamer</translation>
    </message>
    <message>
        <source>Position from which a token needs fewer multiply-adds than with the cache</source>
        <translation>Position, ab der ein Token weniger Multiply-Adds braucht als mit dem Cache</translation>
    </message>
    <message>
        <source>Half-life</source>
        <translation>Halbwertszeit</translation>
    </message>
    <message>
        <source>Tokens after which a constant gate has halved what the state has kept</source>
        <translation>Token, nach denen ein konstantes Gate halbiert hat, was der Zustand aufbewahrt</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>What a compression changes in the output, mean over compressions and heads</source>
        <translation>Was eine Kompression an der Ausgabe ändert, Mittel über Kompressionen und Köpfe</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Parallel</translation>
    </message>
    <message>
        <source>Largest difference between the outputs token by token and those of all tokens at once</source>
        <translation>Größte Differenz zwischen den Ausgaben Token für Token und denen aller Token auf einmal</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>Weight of a token in the output that many tokens later</source>
        <translation>Gewicht eines Tokens in der Ausgabe so viele Token später</translation>
    </message>
    <message>
        <source>%1, state</source>
        <translation>%1, Zustand</translation>
    </message>
    <message>
        <source>No measurements yet</source>
        <translation>Noch keine Messungen</translation>
    </message>
    <message>
        <source>A token takes %1 with a cache of %2 tokens</source>
        <translation>Ein Token braucht %1 mit einem Cache von %2 Token</translation>
    </message>
    <message>
        <source>Nothing is clearly faster than the cache at %1 tokens</source>
        <translation>Nichts ist bei %1 Token klar schneller als der Cache</translation>
    </message>
    <message>
        <source>%1 is faster than the cache at %2 tokens, with a relative error of %3</source>
        <translation>%1 ist bei %2 Token schneller als der Cache, mit einem relativen Fehler von %3</translation>
    </message>
    <message>
        <source>%1 of %2 mechanisms are faster than the cache at %3 tokens; %4 is closest to it: relative error %5</source>
        <translation>%1 von %2 Mechanismen sind bei %3 Token schneller als der Cache; %4 kommt ihm am nächsten: relativer Fehler %5</translation>
    </message>
    <message>
        <source>%1, layer %2</source>
        <translation>%1, Schicht %2</translation>
    </message>
    <message>
        <source>correlated tokens</source>
        <translation>korrelierte Token</translation>
    </message>
    <message>
        <source>tokens to be recalled</source>
        <translation>abzurufende Token</translation>
    </message>
    <message>
        <source>independent tokens</source>
        <translation>unabhängige Token</translation>
    </message>
    <message numerus="yes">
        <source>%1 head(s)</source>
        <translation>
            <numerusform>%1 Kopf</numerusform>
            <numerusform>%1 Köpfe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 channel(s)</source>
        <translation>
            <numerusform>%1 Kanal</numerusform>
            <numerusform>%1 Kanäle</numerusform>
        </translation>
    </message>
    <message>
        <source>one thread</source>
        <translation>ein Thread</translation>
    </message>
    <message>
        <source>load %1</source>
        <translation>Last %1</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Blocks that every sample runs</source>
        <translation>Blöcke, die jedes Beispiel durchläuft</translation>
    </message>
    <message>
        <source>Threshold</source>
        <translation>Schwelle</translation>
    </message>
    <message>
        <source>A sample leaves behind the first block whose largest probability is above it</source>
        <translation>Ein Beispiel steigt nach dem ersten Block aus, dessen größte Wahrscheinlichkeit darüber liegt</translation>
    </message>
    <message>
        <source>Penalty</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>What a block costs the oracle</source>
        <translation>Was ein Block das Orakel kostet</translation>
    </message>
    <message>
        <source>top-1</source>
        <translation>Top-1</translation>
    </message>
    <message>
        <source>Accuracy at the exits, with its 95 % interval</source>
        <translation>Genauigkeit an den Exits, mit ihrem 95-%-Intervall</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Blocks run, mean over samples</source>
        <translation>Durchlaufene Blöcke, Mittel über Beispiele</translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation>Multiply-Adds</translation>
    </message>
    <message>
        <source>With a prediction behind every block on the way, and as a fraction of the whole network&apos;s; not a measured time</source>
        <translation>Mit einer Vorhersage nach jedem Block auf dem Weg, und als Anteil derer des ganzen Netzes; keine gemessene Zeit</translation>
    </message>
    <message>
        <source>No sample could be read</source>
        <translation>Kein Beispiel konnte gelesen werden</translation>
    </message>
    <message>
        <source>%1: threshold %2 runs %3 of %4 blocks, %5 top-1 instead of %6</source>
        <translation>%1: Schwelle %2 durchläuft %3 von %4 Blöcken, %5 Top-1 statt %6</translation>
    </message>
    <message>
        <source>Heads trained for each exit</source>
        <translation>Für jeden Exit trainierte Köpfe</translation>
    </message>
    <message>
        <source>Untrained exits: the network&apos;s own norm and head</source>
        <translation>Untrainierte Exits: Norm und Kopf des Netzes selbst</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 Beispiel</numerusform>
            <numerusform>%1 Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 unreadable</source>
        <translation>%1 unlesbar</translation>
    </message>
    <message>
        <source>Based on medians; at the longest length the difference is not clear</source>
        <translation>Nach den Medianen; bei der größten Länge ist der Unterschied nicht klar</translation>
    </message>
    <message>
        <source>stopped: %1</source>
        <translation>gestoppt: %1</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation>deterministisch</translation>
    </message>
    <message numerus="yes">
        <source>%1 seed(s)</source>
        <translation>
            <numerusform>%1 Seed</numerusform>
            <numerusform>%1 Seeds</numerusform>
        </translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax, explizit</translation>
    </message>
    <message>
        <source>softmax, fused</source>
        <translation>softmax, fusioniert</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Time ∝ Nᵖ, p =</source>
        <translation>Zeit ∝ Nᵖ, p =</translation>
    </message>
    <message>
        <source>Exponent of encoder time over the longest lengths</source>
        <translation>Exponent der Encoder-Zeit über die größten Längen</translation>
    </message>
    <message>
        <source>attention only</source>
        <translation>nur Attention</translation>
    </message>
    <message>
        <source>Exponent of the time inside attention</source>
        <translation>Exponent der Zeit in der Attention</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Exponent of the peak memory of one attention</source>
        <translation>Exponent des Spitzenspeichers einer Attention</translation>
    </message>
    <message>
        <source>theoretical</source>
        <translation>theoretisch</translation>
    </message>
    <message>
        <source>Exponents of time and memory stated in its paper</source>
        <translation>Exponenten von Zeit und Speicher laut ihrem Paper</translation>
    </message>
    <message>
        <source>Faster than explicit</source>
        <translation>Schneller als explizit</translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with explicit softmax</source>
        <translation>Länge, ab der ihr Encoder schneller ist als mit explizitem softmax</translation>
    </message>
    <message>
        <source>than fused</source>
        <translation>als fusioniert</translation>
    </message>
    <message>
        <source>Length from which its encoder is faster than with fused softmax</source>
        <translation>Länge, ab der ihr Encoder schneller ist als mit fusioniertem softmax</translation>
    </message>
    <message>
        <source>Length from which its encoder needs less memory than with explicit softmax</source>
        <translation>Länge, ab der ihr Encoder weniger Speicher braucht als mit explizitem softmax</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>Relative to explicit softmax at the same length</source>
        <translation>Relativ zu explizitem softmax bei gleicher Länge</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <source>Median time of a pass</source>
        <translation>Median der Zeit eines Durchlaufs</translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation>Nur Attention</translation>
    </message>
    <message>
        <source>Median time inside attention</source>
        <translation>Median der Zeit in der Attention</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Peak tensor memory of a pass, above the level before it</source>
        <translation>Spitzenspeicher der Tensoren eines Durchlaufs, über dem Stand davor</translation>
    </message>
    <message>
        <source>attention peak</source>
        <translation>Attention-Spitze</translation>
    </message>
    <message>
        <source>Peak memory of the attention in the largest layer</source>
        <translation>Spitzenspeicher der Attention in der größten Schicht</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Publiziert</translation>
    </message>
    <message>
        <source>Time and memory relative to softmax, LARA paper, table 6, 16 samples</source>
        <translation>Zeit und Speicher relativ zu softmax, LARA-Paper, Tabelle 6, 16 Stichproben</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>Number of timed passes</source>
        <translation>Anzahl der gemessenen Durchläufe</translation>
    </message>
    <message>
        <source>Percentiles of the time of a pass, or why there is none</source>
        <translation>Perzentile der Zeit eines Durchlaufs, oder warum es keine gibt</translation>
    </message>
    <message>
        <source>Samples S</source>
        <translation>Stichproben S</translation>
    </message>
    <message>
        <source>Number of random features or landmarks</source>
        <translation>Anzahl der Zufallsmerkmale oder Landmarks</translation>
    </message>
    <message>
        <source>Mean squared error with respect to exact attention; mean over seeds</source>
        <translation>Mittlerer quadratischer Fehler bezogen auf exakte Attention; Mittel über Seeds</translation>
    </message>
    <message>
        <source>std. dev.</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>Standard deviation over seeds</source>
        <translation>Standardabweichung über Seeds</translation>
    </message>
    <message>
        <source>bias²</source>
        <translation>Bias²</translation>
    </message>
    <message>
        <source>The part that more seeds do not average out</source>
        <translation>Der Teil, den mehr Seeds nicht herausmitteln</translation>
    </message>
    <message>
        <source>variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>relativ</translation>
    </message>
    <message>
        <source>Norm of the difference over the norm of the exact output</source>
        <translation>Norm der Differenz durch die Norm der exakten Ausgabe</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Baseline</translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation>Mittel der Values</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Median latency of the whole model</source>
        <translation>Median der Latenz des ganzen Modells</translation>
    </message>
    <message>
        <source>Relative error, mean over layers with the same q, k, v</source>
        <translation>Relativer Fehler, Mittel über Schichten mit denselben q, k, v</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>KL divergence of the class distribution, in nats</source>
        <translation>KL-Divergenz der Klassenverteilung in Nats</translation>
    </message>
    <message>
        <source>top-1 agreement</source>
        <translation>Top-1 gleich</translation>
    </message>
    <message>
        <source>Fraction of inputs with the same top-1 class as softmax</source>
        <translation>Anteil der Eingaben mit derselben Top-1-Klasse wie softmax</translation>
    </message>
    <message>
        <source>predicted latency</source>
        <translation>vorhergesagte Latenz</translation>
    </message>
    <message>
        <source>Sum over the layers, and what is outside attention</source>
        <translation>Summe über die Schichten und was außerhalb der Attention liegt</translation>
    </message>
    <message>
        <source>predicted error</source>
        <translation>vorhergesagter Fehler</translation>
    </message>
    <message>
        <source>Mean over the layers</source>
        <translation>Mittel über die Schichten</translation>
    </message>
    <message>
        <source>Top-1</source>
        <translation>Top-1</translation>
    </message>
    <message numerus="yes">
        <source>Of %1 labelled input(s), with the 95 % interval</source>
        <translation>
            <numerusform>Von %1 Eingabe mit Label, mit dem 95-%-Intervall</numerusform>
            <numerusform>Von %1 Eingaben mit Labels, mit dem 95-%-Intervall</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Median time inside this layer&apos;s attention</source>
        <translation>Median der Zeit in der Attention dieser Schicht</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>Median time inside exact softmax in this layer</source>
        <translation>Median der Zeit in exaktem softmax in dieser Schicht</translation>
    </message>
    <message>
        <source>Relative error with the q, k, v of the exact pass</source>
        <translation>Relativer Fehler mit den q, k, v des exakten Durchlaufs</translation>
    </message>
    <message>
        <source>KL, this layer only</source>
        <translation>KL, nur diese Schicht</translation>
    </message>
    <message>
        <source>KL divergence of the class distribution when only this layer is replaced</source>
        <translation>KL-Divergenz der Klassenverteilung, wenn nur diese Schicht ersetzt wird</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>‖x‖, scaled as features see it</source>
        <translation>‖x‖, skaliert, wie Merkmale es sehen</translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation>exp(x·y)</translation>
    </message>
    <message>
        <source>The exact value</source>
        <translation>Der exakte Wert</translation>
    </message>
    <message>
        <source>Estimate from all features, ± its standard deviation</source>
        <translation>Schätzung aus allen Merkmalen, ± ihre Standardabweichung</translation>
    </message>
    <message>
        <source>Standard deviation relative to the kernel, median over pairs of queries and keys</source>
        <translation>Standardabweichung relativ zum Kernel, Median über Paare von Queries und Keys</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>‖q‖</source>
        <translation>‖q‖</translation>
    </message>
    <message>
        <source>Mean norm of the queries, scaled as features see them</source>
        <translation>Mittlere Norm der Queries, skaliert, wie Merkmale sie sehen</translation>
    </message>
    <message>
        <source>‖k‖</source>
        <translation>‖k‖</translation>
    </message>
    <message>
        <source>Mean norm of the keys</source>
        <translation>Mittlere Norm der Keys</translation>
    </message>
    <message>
        <source>at every length</source>
        <translation>bei jeder Länge</translation>
    </message>
    <message>
        <source>from N ≈ %1</source>
        <translation>ab N ≈ %1</translation>
    </message>
    <message>
        <source>%1 beats %2 %3</source>
        <translation>%1 schlägt %2 %3</translation>
    </message>
    <message>
        <source>%1 more at longer lengths</source>
        <translation>%1 weitere bei größeren Längen</translation>
    </message>
    <message>
        <source>fused softmax</source>
        <translation>fusioniertes softmax</translation>
    </message>
    <message>
        <source>%1; nothing beats fused softmax</source>
        <translation>%1; nichts schlägt fusioniertes softmax</translation>
    </message>
    <message>
        <source>explicit softmax</source>
        <translation>explizites softmax</translation>
    </message>
    <message>
        <source>No difference beyond measurement noise up to %1 tokens</source>
        <translation>Bis %1 Token kein Unterschied jenseits des Messrauschens</translation>
    </message>
    <message>
        <source>Only softmax was measured; select other backends to see where they pay off</source>
        <translation>Nur softmax wurde gemessen; wählen Sie andere Backends aus, um zu sehen, wo sie sich lohnen</translation>
    </message>
    <message>
        <source>Nothing is faster than softmax up to %1 tokens</source>
        <translation>Bis %1 Token ist nichts schneller als softmax</translation>
    </message>
    <message>
        <source>encoder with random weights</source>
        <translation>Encoder mit zufälligen Gewichten</translation>
    </message>
    <message numerus="yes">
        <source>%1 layer(s)</source>
        <translation>
            <numerusform>%1 Schicht</numerusform>
            <numerusform>%1 Schichten</numerusform>
        </translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>Dim. %1</translation>
    </message>
    <message>
        <source>batch size 1</source>
        <translation>Batchgröße 1</translation>
    </message>
    <message>
        <source>forward and backward</source>
        <translation>vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>None of these backends could be measured</source>
        <translation>Keines dieser Backends konnte gemessen werden</translation>
    </message>
    <message>
        <source>%1 is closest to softmax: MSE %2</source>
        <translation>%1 kommt softmax am nächsten: MSE %2</translation>
    </message>
    <message>
        <source>%1 with %2 samples is closest: MSE %3</source>
        <translation>%1 mit %2 Stichproben kommt am nächsten: MSE %3</translation>
    </message>
    <message>
        <source>scales as samples^%1</source>
        <translation>skaliert wie Stichproben^%1</translation>
    </message>
    <message>
        <source>%1, worse than the mean-of-values baseline</source>
        <translation>%1, schlechter als die Baseline mit dem Mittel der Values</translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1 Eingabe</numerusform>
            <numerusform>%1 Eingaben</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 token(s)</source>
        <translation>
            <numerusform>%1 Token</numerusform>
            <numerusform>%1 Token</numerusform>
        </translation>
    </message>
    <message>
        <source>exact: %1</source>
        <translation>exakt: %1</translation>
    </message>
    <message>
        <source>No plan was chosen</source>
        <translation>Es wurde kein Plan gewählt</translation>
    </message>
    <message>
        <source>No plan meets the budget; the fastest takes %1</source>
        <translation>Kein Plan hält das Budget ein; der schnellste braucht %1</translation>
    </message>
    <message>
        <source>No plan meets the budget</source>
        <translation>Kein Plan hält das Budget ein</translation>
    </message>
    <message>
        <source>%1 in every layer</source>
        <translation>%1 in jeder Schicht</translation>
    </message>
    <message>
        <source>A plan mixing %1 backends</source>
        <translation>Ein Plan aus %1 Backends</translation>
    </message>
    <message>
        <source>%1, top-1 %2</source>
        <translation>%1, Top-1 %2</translation>
    </message>
    <message>
        <source>%1, relative error %2</source>
        <translation>%1, relativer Fehler %2</translation>
    </message>
    <message>
        <source>%1: nothing faster meets the budget</source>
        <translation>%1: Nichts Schnelleres hält das Budget ein</translation>
    </message>
    <message>
        <source>%1; softmax: %2, %3</source>
        <translation>%1; softmax: %2, %3</translation>
    </message>
    <message>
        <source>%1; explicit: %2</source>
        <translation>%1; explizit: %2</translation>
    </message>
    <message>
        <source>top-1 on %1 labelled samples</source>
        <translation>Top-1 auf %1 Beispielen mit Labels</translation>
    </message>
    <message numerus="yes">
        <source>%1 pair(s) of vectors</source>
        <translation>
            <numerusform>%1 Vektorpaar</numerusform>
            <numerusform>%1 Vektorpaare</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 features are too few for this kernel: those of the best map, %2, vary by %3 times its value</source>
        <translation>%1 Merkmale sind zu wenige für diesen Kernel: Die der besten Abbildung, %2, schwanken um das %3-Fache seines Werts</translation>
    </message>
    <message>
        <source>Best with %1 features: %2, with a standard deviation of %3 of the kernel&apos;s value</source>
        <translation>Am besten mit %1 Merkmalen: %2, mit einer Standardabweichung von %3 des Kernelwerts</translation>
    </message>
    <message numerus="yes">
        <source>%1 feature(s)</source>
        <translation>
            <numerusform>%1 Merkmal</numerusform>
            <numerusform>%1 Merkmale</numerusform>
        </translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>%1 differs from the file by %2</source>
        <translation>%1 weicht um %2 von der Datei ab</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>time, memory</source>
        <translation>Zeit, Speicher</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Best at equal</source>
        <translation>Beste bei</translation>
    </message>
    <message>
        <source>No other has both a smaller error and less of it</source>
        <translation>Keine andere hat sowohl einen kleineren Fehler als auch weniger davon</translation>
    </message>
    <message>
        <source>Divergence of the classes from those of exact attention, nats, with this attention in all layers</source>
        <translation>Divergenz der Klassen von denen exakter Attention in Nats, mit dieser Attention in allen Schichten</translation>
    </message>
    <message>
        <source>Same class</source>
        <translation>Gleiche Klasse</translation>
    </message>
    <message>
        <source>Fraction of inputs and seeds with exact attention&apos;s first class</source>
        <translation>Anteil der Eingaben und Seeds mit derselben ersten Klasse wie exakte Attention</translation>
    </message>
    <message>
        <source>1 − cosine</source>
        <translation>1 − Kosinus</translation>
    </message>
    <message>
        <source>Of the features and those of exact attention, with this attention in all layers</source>
        <translation>Der Merkmale und derer exakter Attention, mit dieser Attention in allen Schichten</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>Relativer Fehler</translation>
    </message>
    <message>
        <source>For the same q, k, v as exact attention: mean over heads, layers, inputs and seeds</source>
        <translation>Für dieselben q, k, v wie exakte Attention: Mittel über Köpfe, Schichten, Eingaben und Seeds</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>The same over heads, layers, inputs and seeds</source>
        <translation>Dasselbe über Köpfe, Schichten, Eingaben und Seeds</translation>
    </message>
    <message>
        <source>Of attention in all layers, median of interleaved runs</source>
        <translation>Der Attention in allen Schichten, Median verschränkter Läufe</translation>
    </message>
    <message>
        <source>of exact</source>
        <translation>von exakt</translation>
    </message>
    <message>
        <source>Time relative to exact attention</source>
        <translation>Zeit relativ zu exakter Attention</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Largest tensors of one layer&apos;s attention</source>
        <translation>Größte Tensoren der Attention einer Schicht</translation>
    </message>
    <message>
        <source>Memory relative to exact attention</source>
        <translation>Speicher relativ zu exakter Attention</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Why it failed, or what was left out of the means</source>
        <translation>Warum es scheiterte, oder was in den Mittelwerten fehlt</translation>
    </message>
    <message numerus="yes">
        <source>%1 head(s) not finite</source>
        <translation>
            <numerusform>%1 Kopf nicht endlich</numerusform>
            <numerusform>%1 Köpfe nicht endlich</numerusform>
        </translation>
    </message>
    <message>
        <source>None is clearly faster than exact attention at %1 tokens</source>
        <translation>Keine ist bei %1 Token klar schneller als exakte Attention</translation>
    </message>
    <message>
        <source>%1: error %2 at %3 the time, the most accurate of those faster than exact attention</source>
        <translation>%1: Fehler %2 bei %3 der Zeit, die genaueste unter denen, die schneller als exakte Attention sind</translation>
    </message>
    <message>
        <source>%1, %2 tokens. Times are of attention alone, on the first input, relative to %3; errors are over %4 seeds.</source>
        <translation>%1, %2 Token. Zeiten gelten für die Attention allein, auf der ersten Eingabe, relativ zu %3; Fehler über %4 Seeds.</translation>
    </message>
    <message>
        <source>%1 of %2 are faster than exact attention.</source>
        <translation>%1 von %2 sind schneller als exakte Attention.</translation>
    </message>
    <message>
        <source>Number of neighbours</source>
        <translation>Anzahl der Nachbarn</translation>
    </message>
    <message>
        <source>Weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation>Gewicht der Nachbarn: 0 ist das Modell allein, 1 sind die Nachbarn allein</translation>
    </message>
    <message>
        <source>With the 95 % interval (Wilson)</source>
        <translation>Mit dem 95-%-Intervall (Wilson)</translation>
    </message>
    <message>
        <source>Gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Difference to the model alone, in percentage points</source>
        <translation>Unterschied zum Modell allein, in Prozentpunkten</translation>
    </message>
    <message>
        <source>k %1, λ %2</source>
        <translation>k %1, λ %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 neighbour(s)</source>
        <translation>
            <numerusform>%1 Nachbar</numerusform>
            <numerusform>%1 Nachbarn</numerusform>
        </translation>
    </message>
    <message>
        <source>By</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Predicts</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Probability</source>
        <translation>Wahrsch.</translation>
    </message>
    <message>
        <source>mixed, λ = %1</source>
        <translation>gemischt, λ = %1</translation>
    </message>
    <message>
        <source>model alone</source>
        <translation>Modell allein</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>%1 features from %2</source>
        <translation>%1 Merkmale aus %2</translation>
    </message>
    <message>
        <source>k = %1, λ = %2</source>
        <translation>k = %1, λ = %2</translation>
    </message>
    <message>
        <source>Best with %1: %2</source>
        <translation>Am besten mit %1: %2</translation>
    </message>
    <message>
        <source>Neighbours do not help: the model alone gets %1 right</source>
        <translation>Nachbarn helfen nicht: Das Modell allein hat %1 richtig</translation>
    </message>
    <message>
        <source>Neighbours help: %1 gets %2 right, the model alone %3</source>
        <translation>Nachbarn helfen: %1 %2, Modell allein %3</translation>
    </message>
    <message>
        <source>No clear gain: %1 gets %2 right, the model alone %3</source>
        <translation>Kein klarer Gewinn: %1 %2, Modell allein %3</translation>
    </message>
    <message>
        <source>top-1 of %1 from %2</source>
        <translation>Top-1: %1 aus %2</translation>
    </message>
    <message>
        <source>%1 left themselves out</source>
        <translation>%1 ließen sich selbst aus</translation>
    </message>
    <message>
        <source>%1 features of %2 numbers from %3</source>
        <translation>%1 Merkmale mit %2 Zahlen aus %3</translation>
    </message>
    <message>
        <source>%1 distance, temperature %2</source>
        <translation>Abstand %1, Temperatur %2</translation>
    </message>
    <message>
        <source>none: not finite</source>
        <translation>keine: nicht endlich</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Whether they were trained with this attention</source>
        <translation>Ob sie mit dieser Attention trainiert wurden</translation>
    </message>
    <message>
        <source>Top-5</source>
        <translation>Top-5</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>no predictions yet</source>
        <translation>noch keine Vorhersagen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Weights, SHA-256</source>
        <translation>Gewichte, SHA-256</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Files, SHA-256</source>
        <translation>Dateien, SHA-256</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>Transform</source>
        <translation>Transformation</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Views</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Auswahl der Frames</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Shard</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Attnscope</source>
        <translation>Attnscope</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>Compiler</source>
        <translation>Compiler</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <source>Instruction set</source>
        <translation>Befehlssatz</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>Both correct</source>
        <translation>Beide richtig</translation>
    </message>
    <message>
        <source>Only A</source>
        <translation>Nur A</translation>
    </message>
    <message>
        <source>Correct with A, wrong with B.</source>
        <translation>Richtig mit A, falsch mit B.</translation>
    </message>
    <message>
        <source>Only B</source>
        <translation>Nur B</translation>
    </message>
    <message>
        <source>Correct with B, wrong with A.</source>
        <translation>Richtig mit B, falsch mit A.</translation>
    </message>
    <message>
        <source>Both wrong</source>
        <translation>Beide falsch</translation>
    </message>
    <message>
        <source>Same prediction</source>
        <translation>Gleiche Vorhersage</translation>
    </message>
    <message>
        <source>Fraction of samples for which both predict the same class, correct or not.</source>
        <translation>Anteil der Beispiele, für die beide dieselbe Klasse vorhersagen, ob richtig oder nicht.</translation>
    </message>
    <message>
        <source>McNemar p</source>
        <translation>McNemar p</translation>
    </message>
    <message>
        <source>Probability of a difference at least this large if both were equally accurate: exact two-sided test on the samples that only one of them predicts correctly.</source>
        <translation>Wahrscheinlichkeit eines mindestens so großen Unterschieds, wenn beide gleich genau wären: exakter zweiseitiger Test auf den Beispielen, die nur eines von beiden richtig vorhersagt.</translation>
    </message>
    <message>
        <source>%1, top-1</source>
        <translation>%1, Top-1</translation>
    </message>
    <message>
        <source>Points lost</source>
        <translation>Punktverlust</translation>
    </message>
    <message>
        <source>Top-1 of the first minus that of the least accurate; ≈: their intervals overlap.</source>
        <translation>Top-1 des ersten minus das des ungenauesten; ≈: ihre Intervalle überlappen.</translation>
    </message>
    <message>
        <source>True class</source>
        <translation>Wahre Klasse</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Of true class</source>
        <translation>Anteil der wahren Klasse</translation>
    </message>
    <message>
        <source>Fraction of the true class&apos;s samples that are predicted as the other class.</source>
        <translation>Anteil der Beispiele der wahren Klasse, die als die andere Klasse vorhergesagt werden.</translation>
    </message>
    <message numerus="yes">
        <source>%2 misclassifies %1 sample(s) that %3 gets right, and gets %4 right that %3 misclassifies: %5.</source>
        <translation>
            <numerusform>%2 klassifiziert %1 Beispiel falsch, das %3 richtig hat, und hat %4 richtig, die %3 falsch klassifiziert: %5.</numerusform>
            <numerusform>%2 klassifiziert %1 Beispiele falsch, die %3 richtig hat, und hat %4 richtig, die %3 falsch klassifiziert: %5.</numerusform>
        </translation>
    </message>
    <message>
        <source>a significant difference, McNemar %1</source>
        <translation>ein signifikanter Unterschied, McNemar %1</translation>
    </message>
    <message>
        <source>not significant, McNemar %1</source>
        <translation>nicht signifikant, McNemar %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>swapped</source>
        <translation>getauscht</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>untrainiert</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>Ganzes Modell</translation>
    </message>
    <message>
        <source>Percentiles of the time of a pass</source>
        <translation>Perzentile der Zeit eines Durchlaufs</translation>
    </message>
    <message>
        <source>Percentiles of the time inside attention</source>
        <translation>Perzentile der Zeit in der Attention</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation>Mittel der Values</translation>
    </message>
    <message>
        <source>The relative error of using the mean of the values for every query</source>
        <translation>Der relative Fehler, wenn für jede Query das Mittel der Values genommen wird</translation>
    </message>
    <message>
        <source>Largest in</source>
        <translation>Am größten in</translation>
    </message>
    <message>
        <source>Top-1 agrees</source>
        <translation>Top-1 stimmt überein</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>features, cosine</source>
        <translation>Merkmale, Kosinus</translation>
    </message>
    <message>
        <source>class token</source>
        <translation>Klassen-Token</translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation>Patch-Mittel</translation>
    </message>
    <message>
        <source>each patch</source>
        <translation>je Patch</translation>
    </message>
    <message>
        <source>5 % of patches</source>
        <translation>5 % der Patches</translation>
    </message>
    <message>
        <source>Lowest in</source>
        <translation>Am kleinsten in</translation>
    </message>
    <message>
        <source>The block in which the patches differ most</source>
        <translation>Der Block, in dem sich die Patches am meisten unterscheiden</translation>
    </message>
    <message>
        <source>block %1, %2</source>
        <translation>Block %1, %2</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>Vorher</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Nachher</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>Lehrer</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation>Anteil der Validierungsbeispiele, deren erste Vorhersage richtig ist.</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation>Anteil der Validierungsbeispiele, deren wahre Klasse unter den ersten fünf Vorhersagen ist.</translation>
    </message>
    <message>
        <source>Agreement with teacher</source>
        <translation>Übereinstimmung mit dem Teacher</translation>
    </message>
    <message>
        <source>Fraction of validation samples with the same top-1 class as the teacher, correct or not.</source>
        <translation>Anteil der Validierungsbeispiele mit derselben Top-1-Klasse wie der Lehrer, ob richtig oder nicht.</translation>
    </message>
    <message>
        <source>KL divergence of the predictions, nats</source>
        <translation>KL-Divergenz der Vorhersagen, Nats</translation>
    </message>
    <message>
        <source>Mean Kullback-Leibler divergence from the teacher&apos;s probabilities.</source>
        <translation>Mittlere Kullback-Leibler-Divergenz von den Wahrscheinlichkeiten des Lehrers.</translation>
    </message>
    <message>
        <source>Relative attention error</source>
        <translation>Relativer Attention-Fehler</translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v; mean over all layers.</source>
        <translation>Gegenüber exakter Attention auf denselben q, k, v; Mittel über alle Schichten.</translation>
    </message>
    <message>
        <source>Relative error, layer %1</source>
        <translation>Relativer Fehler, Schicht %1</translation>
    </message>
    <message>
        <source>Compared with exact attention on the same q, k, v of this layer.</source>
        <translation>Gegenüber exakter Attention auf denselben q, k, v dieser Schicht.</translation>
    </message>
    <message>
        <source>median, p5–p95</source>
        <translation>Median, p5–p95</translation>
    </message>
    <message>
        <source>median, bars p5–p95</source>
        <translation>Median, Balken p5–p95</translation>
    </message>
    <message>
        <source>bars: 95 % interval</source>
        <translation>Balken: 95-%-Intervall</translation>
    </message>
    <message>
        <source>top-5</source>
        <translation>Top-5</translation>
    </message>
    <message>
        <source>Fraction of readable samples whose true class is among the top five predictions.</source>
        <translation>Anteil der lesbaren Beispiele, deren wahre Klasse unter den ersten fünf Vorhersagen ist.</translation>
    </message>
    <message>
        <source>model time</source>
        <translation>Modellzeit</translation>
    </message>
    <message>
        <source>Median of one forward pass of the whole model.</source>
        <translation>Median eines Durchlaufs durch das ganze Modell.</translation>
    </message>
    <message>
        <source>attention time</source>
        <translation>Attention-Zeit</translation>
    </message>
    <message>
        <source>Median time inside attention, summed over layers.</source>
        <translation>Median der Zeit in der Attention, über die Schichten summiert.</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Peak tensor memory of a forward pass, without weights.</source>
        <translation>Spitzenspeicher der Tensoren eines Vorwärtsdurchlaufs, ohne Gewichte.</translation>
    </message>
    <message>
        <source>on exact q, k, v</source>
        <translation>auf exakten q, k, v</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>relativer Fehler</translation>
    </message>
    <message>
        <source>mean over seeds, bars ± standard deviation</source>
        <translation>Mittel über Seeds, Balken ± Standardabweichung</translation>
    </message>
    <message>
        <source>How far the attention&apos;s output is from that of exact attention, as a fraction of it, where every layer gets the q, k and v of the exact network (teacher-forced). &quot;mean&quot; is the error of using the mean of the values for every query: an approximation with an error that large ignores the queries.</source>
        <translation>Wie weit die Ausgabe der Attention von der exakten abweicht, als Bruchteil von ihr, wobei jede Schicht q, k und v des exakten Netzes erhält (Teacher Forcing). „Mittel“ ist der Fehler, wenn für jede Query das Mittel der Values genommen wird: Eine Näherung mit so großem Fehler ignoriert die Queries.</translation>
    </message>
    <message>
        <source>attention memory</source>
        <translation>Attention-Speicher</translation>
    </message>
    <message>
        <source>KL divergence</source>
        <translation>KL-Divergenz</translation>
    </message>
    <message>
        <source>1 − cosine of features</source>
        <translation>1 − Kosinus der Merkmale</translation>
    </message>
    <message>
        <source>Fraction of readable samples whose top prediction is correct, with its 95 % Wilson interval (sampling uncertainty).</source>
        <translation>Anteil der lesbaren Beispiele, deren erste Vorhersage richtig ist, mit 95-%-Wilson-Intervall (Unsicherheit der Stichprobe).</translation>
    </message>
    <message>
        <source>Final learning rate of the schedule</source>
        <translation>Endgültige Lernrate des Zeitplans</translation>
    </message>
    <message>
        <source>AdamW weight decay; not applied to biases, norms, tokens and position embeddings</source>
        <translation>Weight Decay von AdamW; nicht auf Bias, Normen, Token und Positions-Embeddings angewandt</translation>
    </message>
    <message>
        <source>Maximum total gradient norm; 0: no limit</source>
        <translation>Größte Gesamtnorm des Gradienten; 0: keine Grenze</translation>
    </message>
    <message>
        <source>Loss weight of each layer&apos;s attention output error</source>
        <translation>Gewicht des Fehlers der Attention-Ausgabe jeder Schicht im Verlust</translation>
    </message>
    <message>
        <source>Loss weight of the Kullback-Leibler divergence of the predictions</source>
        <translation>Gewicht der Kullback-Leibler-Divergenz der Vorhersagen im Verlust</translation>
    </message>
    <message>
        <source>Loss weight of the labels</source>
        <translation>Gewicht der Labels im Verlust</translation>
    </message>
    <message>
        <source>Softmax temperature of that divergence</source>
        <translation>Softmax-Temperatur dieser Divergenz</translation>
    </message>
    <message>
        <source>Number of initial epochs that train only the attention&apos;s own parameters</source>
        <translation>Anzahl der ersten Epochen, in denen nur die eigenen Parameter der Attention trainiert werden</translation>
    </message>
    <message>
        <source>Number of training samples to use, spread evenly; 0: all</source>
        <translation>Anzahl der verwendeten Trainingsbeispiele, gleichmäßig verteilt; 0: alle</translation>
    </message>
    <message>
        <source>Threads that load and augment samples; 0: one per core</source>
        <translation>Threads, die Beispiele laden und augmentieren; 0: einer je Kern</translation>
    </message>
    <message>
        <source>Learned map after LARA&apos;s pooling; auto: the checkpoint&apos;s if it has one</source>
        <translation>Gelernte Abbildung nach LARAs Pooling; auto: die des Checkpoints, falls er eine hat</translation>
    </message>
    <message>
        <source>Number of batches whose gradients are accumulated before each weight update</source>
        <translation>Anzahl der Batches, deren Gradienten vor jeder Aktualisierung der Gewichte akkumuliert werden</translation>
    </message>
    <message>
        <source>Label smoothing: fraction of a label that is spread over all classes</source>
        <translation>Label Smoothing: Anteil eines Labels, der über alle Klassen verteilt wird</translation>
    </message>
    <message>
        <source>Stochastic depth rate of the last block; increases linearly with depth</source>
        <translation>Stochastische Tiefe: Rate des letzten Blocks; wächst linear mit der Tiefe</translation>
    </message>
    <message>
        <source>Decay of an exponential moving average of the weights, which becomes the result; 0: none</source>
        <translation>Abfall eines exponentiellen gleitenden Mittels der Gewichte, das zum Ergebnis wird; 0: keines</translation>
    </message>
    <message>
        <source>Use bfloat16 inside linear layers and convolutions</source>
        <translation>bfloat16 in linearen Schichten und Faltungen verwenden</translation>
    </message>
    <message>
        <source>Minimum fraction of the image area kept by a random crop</source>
        <translation>Kleinster Anteil der Bildfläche, den ein zufälliger Ausschnitt behält</translation>
    </message>
    <message>
        <source>Maximum fraction of the image area kept by a random crop</source>
        <translation>Größter Anteil der Bildfläche, den ein zufälliger Ausschnitt behält</translation>
    </message>
    <message>
        <source>Probability of a horizontal flip</source>
        <translation>Wahrscheinlichkeit einer horizontalen Spiegelung</translation>
    </message>
    <message>
        <source>Number of RandAugment operations per image; 0: none</source>
        <translation>Anzahl der RandAugment-Operationen je Bild; 0: keine</translation>
    </message>
    <message>
        <source>Magnitude of the RandAugment operations, 0 to 10</source>
        <translation>Stärke der RandAugment-Operationen, 0 bis 10</translation>
    </message>
    <message>
        <source>Probability of random erasing</source>
        <translation>Wahrscheinlichkeit von Random Erasing</translation>
    </message>
    <message>
        <source>α of mixup; 0: none</source>
        <translation>α von Mixup; 0: keines</translation>
    </message>
    <message>
        <source>α of CutMix; 0: none</source>
        <translation>α von CutMix; 0: keines</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Drift</source>
        <translation>Drift</translation>
    </message>
    <message>
        <source>Relative difference of the block&apos;s output</source>
        <translation>Relative Differenz der Ausgabe des Blocks</translation>
    </message>
    <message>
        <source>CKA, same place</source>
        <translation>CKA, gleiche Stelle</translation>
    </message>
    <message>
        <source>Linear centred kernel alignment with the block of the same number</source>
        <translation>Lineares Centered Kernel Alignment mit dem Block gleicher Nummer</translation>
    </message>
    <message>
        <source>Most alike</source>
        <translation>Am ähnlichsten</translation>
    </message>
    <message>
        <source>The block of the other network with the largest CKA</source>
        <translation>Der Block des anderen Netzes mit der größten CKA</translation>
    </message>
    <message>
        <source>CKA</source>
        <translation>CKA</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Relative difference</source>
        <translation>Relative Differenz</translation>
    </message>
    <message>
        <source>Norm of the difference over the first&apos;s norm</source>
        <translation>Norm der Differenz, geteilt durch die Norm des ersten</translation>
    </message>
    <message>
        <source>Largest change</source>
        <translation>Größte Änderung</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>First network</source>
        <translation>Erstes Netz</translation>
    </message>
    <message>
        <source>Second network</source>
        <translation>Zweites Netz</translation>
    </message>
    <message>
        <source>CKA of patches</source>
        <translation>CKA der Patches</translation>
    </message>
    <message>
        <source>Linear centred kernel alignment with the first network&apos;s patches</source>
        <translation>Lineares Centered Kernel Alignment mit den Patches des ersten Netzes</translation>
    </message>
    <message>
        <source>network %1</source>
        <translation>Netz %1</translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Corruption</source>
        <translation>Störung</translation>
    </message>
    <message>
        <source>Mean corruption error (mCE, %)</source>
        <translation>Mittlerer Störungsfehler (mCE, %)</translation>
    </message>
    <message>
        <source>Outliers</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <source>Area under precision and recall (%)</source>
        <translation>Fläche unter Genauigkeit und Trefferquote (%)</translation>
    </message>
    <message>
        <source>Kept</source>
        <translation>Aufbewahrt</translation>
    </message>
    <message>
        <source>B − A</source>
        <translation>B − A</translation>
    </message>
    <message>
        <source>Difference of the top-1 accuracies in percentage points, with its 95 % interval by the paired bootstrap.</source>
        <translation>Differenz der Top-1-Genauigkeiten in Prozentpunkten mit ihrem 95-%-Intervall nach dem gepaarten Bootstrap.</translation>
    </message>
    <message>
        <source>Holm p</source>
        <translation>Holm-p</translation>
    </message>
    <message>
        <source>McNemar&apos;s p, adjusted by Holm&apos;s procedure for all pairs compared here: below 0.05, the difference is significant among all of them.</source>
        <translation>McNemars p, nach Holm für alle hier verglichenen Paare korrigiert: Unter 0,05 ist der Unterschied auch unter allen zusammen signifikant.</translation>
    </message>
    <message>
        <source>Macro top-1</source>
        <translation>Makro-Top-1</translation>
    </message>
    <message>
        <source>Mean over classes of the top-1 accuracy in each.</source>
        <translation>Mittelwert über die Klassen der Top-1-Genauigkeit in jeder.</translation>
    </message>
    <message>
        <source>NLL</source>
        <translation>NLL</translation>
    </message>
    <message>
        <source>Negative log-likelihood in nats: mean over samples of −ln of the true class&apos;s probability.</source>
        <translation>Negative Log-Likelihood in Nats: Mittelwert über die Beispiele von −ln der Wahrscheinlichkeit der wahren Klasse.</translation>
    </message>
    <message>
        <source>ECE</source>
        <translation>ECE</translation>
    </message>
    <message>
        <source>Expected calibration error: mean difference between accuracy and predicted probability over 15 bins of the first class&apos;s probability.</source>
        <translation>Erwarteter Kalibrierungsfehler: mittlerer Unterschied zwischen Genauigkeit und vorhergesagter Wahrscheinlichkeit über 15 Intervalle der Wahrscheinlichkeit der ersten Klasse.</translation>
    </message>
    <message>
        <source>Brier score</source>
        <translation>Brier-Score</translation>
    </message>
    <message>
        <source>Mean over samples of the squared differences between the predicted probabilities and 1 for the true class, 0 for the others, summed over classes.</source>
        <translation>Mittelwert über die Beispiele der quadrierten Unterschiede zwischen den vorhergesagten Wahrscheinlichkeiten und 1 für die wahre Klasse, 0 für die anderen, summiert über die Klassen.</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>Handlungen</translation>
    </message>
    <message>
        <source>Verb top-1 (%)</source>
        <translation>Verb, Top-1 (%)</translation>
    </message>
    <message>
        <source>Noun top-1 (%)</source>
        <translation>Nomen, Top-1 (%)</translation>
    </message>
    <message>
        <source>Action top-1 (%)</source>
        <translation>Handlung, Top-1 (%)</translation>
    </message>
</context>
<context>
    <name>attnscope::TokenMapInfo</name>
    <message>
        <source>Clusters of queries</source>
        <translation>Cluster der Querys</translation>
    </message>
    <message>
        <source>queries of one landmark</source>
        <translation>Querys eines Landmarks</translation>
    </message>
    <message>
        <source>Distance from the landmark</source>
        <translation>Abstand vom Landmark</translation>
    </message>
    <message>
        <source>√s ‖q − landmark‖, whose square the error follows</source>
        <translation>√s ‖q − Landmark‖, dessen Quadrat der Fehler folgt</translation>
    </message>
    <message>
        <source>Blocks kept exactly</source>
        <translation>Exakt gerechnete Blöcke</translation>
    </message>
    <message>
        <source>the query&apos;s weight on each block whose keys it sees one by one</source>
        <translation>Gewicht der Query auf jedem Block, dessen Keys sie einzeln sieht</translation>
    </message>
    <message>
        <source>Tail</source>
        <translation>Rest</translation>
    </message>
    <message>
        <source>the query&apos;s weight on the mean of each other block</source>
        <translation>Gewicht der Query auf dem Mittel jedes anderen Blocks</translation>
    </message>
    <message>
        <source>Weight of the tail</source>
        <translation>Gewicht des Rests</translation>
    </message>
    <message>
        <source>every query&apos;s weight on means of blocks</source>
        <translation>Gewicht jeder Query auf Mitteln von Blöcken</translation>
    </message>
    <message>
        <source>Keys of the coreset</source>
        <translation>Keys des Coresets</translation>
    </message>
    <message>
        <source>how many keys each chosen key stands for</source>
        <translation>für wie viele Keys jeder gewählte Key steht</translation>
    </message>
    <message>
        <source>Weights of the coreset</source>
        <translation>Gewichte des Coresets</translation>
    </message>
    <message>
        <source>the query&apos;s weight on each chosen key</source>
        <translation>Gewicht der Query auf jedem gewählten Key</translation>
    </message>
    <message>
        <source>Error of the queries</source>
        <translation>Fehler der Querys</translation>
    </message>
    <message>
        <source>of every query&apos;s output, relative to the size of the outputs</source>
        <translation>der Ausgabe jeder Query, relativ zur Größe der Ausgaben</translation>
    </message>
</context>
<context>
    <name>attnscope::engine</name>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>latency of the model</source>
        <translation>Latenz des Modells</translation>
    </message>
    <message>
        <source>time of one token</source>
        <translation>Zeit eines Tokens</translation>
    </message>
    <message>
        <source>tokens later, plus one</source>
        <translation>Tokens später, plus eins</translation>
    </message>
    <message>
        <source>norm of x and y, scaled as features see them</source>
        <translation>Norm von x und y, skaliert wie für die Merkmale</translation>
    </message>
    <message>
        <source>blocks run, mean over samples</source>
        <translation>ausgeführte Blöcke, Mittel über die Bilder</translation>
    </message>
    <message>
        <source>top-1 accuracy</source>
        <translation>Top-1-Genauigkeit</translation>
    </message>
    <message>
        <source>relative difference</source>
        <translation>relative Differenz</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>relativer Fehler</translation>
    </message>
    <message>
        <source>λ (0: the model, 1: the neighbours)</source>
        <translation>λ (0: das Modell, 1: die Nachbarn)</translation>
    </message>
    <message>
        <source>time of attention relative to exact</source>
        <translation>Zeit der Attention relativ zur exakten</translation>
    </message>
    <message>
        <source>peak memory of attention relative to exact</source>
        <translation>Spitzenspeicher der Attention relativ zur exakten</translation>
    </message>
    <message>
        <source>latency of one forward pass</source>
        <translation>Latenz eines Vorwärtsdurchlaufs</translation>
    </message>
    <message>
        <source>peak memory of one forward pass</source>
        <translation>Spitzenspeicher eines Vorwärtsdurchlaufs</translation>
    </message>
    <message>
        <source>relative error of the attention output</source>
        <translation>relativer Fehler der Attention-Ausgabe</translation>
    </message>
    <message>
        <source>same q, k, v</source>
        <translation>gleiche q, k, v</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>durch das ganze Netz</translation>
    </message>
    <message>
        <source>one layer at a time</source>
        <translation>jede Schicht einzeln</translation>
    </message>
    <message>
        <source>maps</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>checking</source>
        <translation>Prüfung</translation>
    </message>
    <message>
        <source>errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>parallel form</source>
        <translation>parallele Form</translation>
    </message>
    <message>
        <source>training features</source>
        <translation>Merkmale der Trainingsbilder</translation>
    </message>
    <message>
        <source>features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>training of the linear probe</source>
        <translation>Training des linearen Klassifikators</translation>
    </message>
    <message>
        <source>cost of every layer</source>
        <translation>Kosten jeder Schicht</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>effect of layer %1</source>
        <translation>Wirkung von Schicht %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>timing at %1</source>
        <translation>Zeitmessung bei %1</translation>
    </message>
    <message>
        <source>KL of the classes</source>
        <translation>KL der Klassen</translation>
    </message>
    <message>
        <source>1 − cosine of the features</source>
        <translation>1 − Kosinus der Merkmale</translation>
    </message>
    <message>
        <source>about %1 s</source>
        <translation>etwa %1 s</translation>
    </message>
    <message>
        <source>about %1 min</source>
        <translation>etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 h %2 min</source>
        <translation>etwa %1 h %2 min</translation>
    </message>
</context>
<context>
    <name>attnscope::ui</name>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1: kann nicht geschrieben werden; wählen Sie einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>relativer Fehler</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>mean of values</source>
        <translation>Mittel der Values</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>One</source>
        <translation>Eine</translation>
    </message>
    <message>
        <source>Two</source>
        <translation>Zwei</translation>
    </message>
    <message>
        <source>Three</source>
        <translation>Drei</translation>
    </message>
    <message>
        <source>Four</source>
        <translation>Vier</translation>
    </message>
    <message>
        <source>Five</source>
        <translation>Fünf</translation>
    </message>
    <message>
        <source>Six</source>
        <translation>Sechs</translation>
    </message>
    <message>
        <source>Seven</source>
        <translation>Sieben</translation>
    </message>
    <message>
        <source>Eight</source>
        <translation>Acht</translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation>%1 sagt %2 voraus</translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation>Beide sagen %1 voraus</translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation>Alle %1 sagen %2 voraus</translation>
    </message>
    <message>
        <source>%1 of %2 predict %3</source>
        <translation>%1 von %2 sagen %3 voraus</translation>
    </message>
    <message>
        <source>%1 predict otherwise</source>
        <translation>%1 sagen anderes voraus</translation>
    </message>
    <message>
        <source>Exact attention alone: its features are what others are compared with</source>
        <translation>Nur exakte Attention: Mit ihren Merkmalen werden die anderen verglichen</translation>
    </message>
    <message>
        <source>Feature cosine %1</source>
        <translation>Merkmal-Kosinus %1</translation>
    </message>
    <message>
        <source>Feature cosine %1 to %2</source>
        <translation>Merkmal-Kosinus %1 bis %2</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>Fehler %1</translation>
    </message>
    <message>
        <source>attention time %1</source>
        <translation>Attention-Zeit %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>Measuring %1: %2. Completed measurements are kept.</source>
        <translation>%1 wird gemessen: %2. Fertige Messungen bleiben erhalten.</translation>
    </message>
    <message>
        <source>Loading the model and the image.</source>
        <translation>Modell und Bild werden geladen.</translation>
    </message>
    <message>
        <source>The features are not finite</source>
        <translation>Die Merkmale sind nicht endlich</translation>
    </message>
    <message>
        <source>Features were not measured yet</source>
        <translation>Die Merkmale wurden noch nicht gemessen</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>Noch kein Lauf</translation>
    </message>
    <message>
        <source>Press Run (F5) to compare the features of every selected backend with those of exact attention.</source>
        <translation>„Ausführen“ (F5) vergleicht die Merkmale jedes ausgewählten Backends mit denen exakter Attention.</translation>
    </message>
    <message>
        <source>Running each backend…</source>
        <translation>Jedes Backend wird ausgeführt…</translation>
    </message>
    <message>
        <source>Compare costs only: these weights are untrained</source>
        <translation>Vergleichen Sie nur die Kosten: Diese Gewichte sind untrainiert</translation>
    </message>
    <message>
        <source>This file could not be read</source>
        <translation>Diese Datei konnte nicht gelesen werden</translation>
    </message>
    <message>
        <source>Processing continues with the other inputs.</source>
        <translation>Die Verarbeitung geht mit den anderen Eingaben weiter.</translation>
    </message>
    <message>
        <source>No prediction: the logits are not finite</source>
        <translation>Keine Vorhersage: Die Logits sind nicht endlich</translation>
    </message>
    <message>
        <source>Press Run (F5) to run every selected backend and measure its cost.</source>
        <translation>„Ausführen“ (F5) führt jedes ausgewählte Backend aus und misst seine Kosten.</translation>
    </message>
    <message>
        <source>; the logits of %1 are not finite</source>
        <translation>; die Logits von %1 sind nicht endlich</translation>
    </message>
    <message>
        <source>deterministic</source>
        <translation>deterministisch</translation>
    </message>
    <message>
        <source>= bias²</source>
        <translation>= Bias²</translation>
    </message>
    <message>
        <source>no variance</source>
        <translation>keine Varianz</translation>
    </message>
    <message>
        <source>+ variance</source>
        <translation>+ Varianz</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>prefix tokens</source>
        <translation>Präfix-Token</translation>
    </message>
    <message>
        <source>patches</source>
        <translation>Patches</translation>
    </message>
    <message>
        <source>this layer alone</source>
        <translation>nur diese Schicht</translation>
    </message>
    <message>
        <source>KL %1, same class</source>
        <translation>KL %1, gleiche Klasse</translation>
    </message>
    <message>
        <source>KL %1, ≠ class</source>
        <translation>KL %1, ≠ Klasse</translation>
    </message>
    <message>
        <source>%1 has no %2 in any layer</source>
        <translation>%1 hat in keiner Schicht einen Wert für %2</translation>
    </message>
    <message>
        <source>Error is largest</source>
        <translation>Der Fehler ist am größten</translation>
    </message>
    <message>
        <source>%1 in %2, head %3: %4</source>
        <translation>%1 in %2, Kopf %3: %4</translation>
    </message>
    <message>
        <source> relative</source>
        <translation> relativ</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>The network has no head: there is no prediction that %1 could change</source>
        <translation>Das Netz hat keinen Klassifikationskopf: Es gibt keine Vorhersage, die %1 ändern könnte</translation>
    </message>
    <message>
        <source>The logits with %1 or with exact attention are not finite, so there is no prediction to compare</source>
        <translation>Die Logits mit %1 oder mit exakter Attention sind nicht endlich, daher gibt es keine Vorhersage zum Vergleichen</translation>
    </message>
    <message>
        <source>%1 keeps the prediction</source>
        <translation>%1 behält die Vorhersage bei</translation>
    </message>
    <message>
        <source>%1 changes the prediction</source>
        <translation>%1 ändert die Vorhersage</translation>
    </message>
    <message>
        <source>%1 keeps the prediction, although %2 alone would change it</source>
        <translation>%1 behält die Vorhersage bei, obwohl %2 allein sie ändern würde</translation>
    </message>
    <message>
        <source>%1 changes the prediction: %2 alone is enough</source>
        <translation>%1 ändert die Vorhersage: %2 allein genügt</translation>
    </message>
    <message>
        <source>%1 keeps the prediction; %2 has the largest effect on its own, KL %3</source>
        <translation>%1 behält die Vorhersage bei; %2 hat für sich die größte Wirkung, KL %3</translation>
    </message>
    <message>
        <source>%1 changes the prediction, but no single layer does; %2 has the largest effect on its own, KL %3</source>
        <translation>%1 ändert die Vorhersage, aber keine einzelne Schicht tut es; %2 hat für sich die größte Wirkung, KL %3</translation>
    </message>
    <message>
        <source>%1 could not be run</source>
        <translation>%1 konnte nicht ausgeführt werden</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>%1 vs. %2 on %3</source>
        <translation>%1 gegenüber %2 auf %3</translation>
    </message>
    <message>
        <source>%1 layers × %2 heads</source>
        <translation>%1 Schichten × %2 Köpfe</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>Gewichte: %1</translation>
    </message>
    <message>
        <source>tensors only</source>
        <translation>nur Tensoren</translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation>%1 der Queries sahen keinen Key und nutzten alle</translation>
    </message>
    <message>
        <source>landmark (%1, %2)</source>
        <translation>Landmark (%1, %2)</translation>
    </message>
    <message>
        <source>landmark token %1</source>
        <translation>Landmark-Token %1</translation>
    </message>
    <message>
        <source>query: class token</source>
        <translation>Query: Klassen-Token</translation>
    </message>
    <message>
        <source>query: frame %1, patch (%2, %3)</source>
        <translation>Query: Frame %1, Patch (%2, %3)</translation>
    </message>
    <message>
        <source>query: patch (%1, %2)</source>
        <translation>Query: Patch (%1, %2)</translation>
    </message>
    <message>
        <source>keys seen</source>
        <translation>gesehene Keys</translation>
    </message>
    <message>
        <source>keys that the query sees</source>
        <translation>Keys, die die Query sieht</translation>
    </message>
    <message>
        <source>mass kept</source>
        <translation>erhaltene Masse</translation>
    </message>
    <message>
        <source>exact attention&apos;s weight on the keys that each query sees</source>
        <translation>Gewicht exakter Attention auf den Keys, die jede Query sieht</translation>
    </message>
    <message>
        <source>mass kept of exact</source>
        <translation>erhaltene exakte Masse</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>mit %1 erstellt</translation>
    </message>
    <message>
        <source>made with other settings</source>
        <translation>mit anderen Einstellungen erstellt</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1: %2, cosine similarity %3, weight %4</source>
        <translation>%1: %2, Kosinus-Ähnlichkeit %3, Gewicht %4</translation>
    </message>
    <message>
        <source>%1: %2, distance %3, weight %4</source>
        <translation>%1: %2, Abstand %3, Gewicht %4</translation>
    </message>
    <message>
        <source>%1, the same class</source>
        <translation>%1, dieselbe Klasse</translation>
    </message>
    <message>
        <source>%1, another class</source>
        <translation>%1, eine andere Klasse</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>made with the model&apos;s own image size</source>
        <translation>mit der Bildgröße des Modells erstellt</translation>
    </message>
    <message>
        <source>made with %1 px</source>
        <translation>mit %1 px erstellt</translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation>mit Seed %1 erstellt</translation>
    </message>
    <message>
        <source>bias²</source>
        <translation>Bias²</translation>
    </message>
    <message>
        <source>%1 times as fast as explicit softmax</source>
        <translation>%1-mal so schnell wie explizites softmax</translation>
    </message>
    <message>
        <source>within %1 ms</source>
        <translation>in höchstens %1 ms</translation>
    </message>
    <message>
        <source>with a relative error of at most %1</source>
        <translation>mit einem relativen Fehler von höchstens %1</translation>
    </message>
    <message>
        <source>with a KL of at most %1 nats</source>
        <translation>mit einer KL von höchstens %1 Nats</translation>
    </message>
    <message>
        <source>with a top-1 accuracy of at least %1 %</source>
        <translation>mit einer Top-1-Genauigkeit von mindestens %1 %</translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 point</source>
        <translation>mit einem Top-1-Verlust von höchstens %1 Punkt</translation>
    </message>
    <message>
        <source>with a top-1 loss of at most %1 points</source>
        <translation>mit einem Top-1-Verlust von höchstens %1 Punkten</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>“%1” is not a whole number from 1 to %2.</source>
        <translation>„%1“ ist keine ganze Zahl von 1 bis %2.</translation>
    </message>
    <message>
        <source>%1 comes after %2; list the numbers in ascending order without repeats.</source>
        <translation>%1 steht nach %2; geben Sie die Zahlen aufsteigend und ohne Wiederholungen an.</translation>
    </message>
    <message>
        <source>No numbers given; enter some separated by commas, such as 256,512,1024.</source>
        <translation>Keine Zahlen angegeben; geben Sie einige durch Kommas getrennt ein, etwa 256,512,1024.</translation>
    </message>
    <message>
        <source>Under load: the load average was %1 on %2 threads at the start; on an idle machine it may be faster.</source>
        <translation>Unter Last: Die mittlere Last war zu Beginn %1 auf %2 Threads; auf einem unbelasteten Rechner kann es schneller sein.</translation>
    </message>
    <message>
        <source>Choose the folder with the images or videos to train on.</source>
        <translation>Wählen Sie den Ordner mit den Bildern oder Videos, auf denen trainiert wird.</translation>
    </message>
    <message>
        <source>%1 does not exist; choose a folder with one subfolder per class.</source>
        <translation>%1 existiert nicht; wählen Sie einen Ordner mit einem Unterordner je Klasse.</translation>
    </message>
    <message>
        <source>%1 does not exist; choose a checkpoint.</source>
        <translation>%1 existiert nicht; wählen Sie einen Checkpoint.</translation>
    </message>
    <message>
        <source>Choose where to save the trained weights.</source>
        <translation>Wählen Sie, wohin die trainierten Gewichte gespeichert werden.</translation>
    </message>
    <message>
        <source>%1 does not end in .safetensors, the only format that weights are saved in.</source>
        <translation>%1 endet nicht auf .safetensors, das einzige Format, in dem Gewichte gespeichert werden.</translation>
    </message>
    <message>
        <source>The folder %1 does not exist; choose an existing one.</source>
        <translation>Der Ordner %1 existiert nicht; wählen Sie einen vorhandenen.</translation>
    </message>
    <message>
        <source>%1 already exists; choose another name, or choose to replace it.</source>
        <translation>%1 existiert bereits; wählen Sie einen anderen Namen oder wählen Sie, die Datei zu ersetzen.</translation>
    </message>
    <message>
        <source>Choose the checkpoint to start from.</source>
        <translation>Wählen Sie den Ausgangs-Checkpoint.</translation>
    </message>
    <message>
        <source>The batch size %1 is larger than the number of training samples, %2.</source>
        <translation>Die Batchgröße %1 ist größer als die Anzahl der Trainingsbeispiele, %2.</translation>
    </message>
    <message>
        <source>The learning rate must be above 0; 0.001 is typical when starting from random weights.</source>
        <translation>Die Lernrate muss über 0 liegen; 0,001 ist üblich, wenn mit zufälligen Gewichten begonnen wird.</translation>
    </message>
    <message>
        <source>Warm-up takes %1 of %2 epochs; leave at least one epoch after it.</source>
        <translation>Das Warm-up dauert %1 von %2 Epochen; lassen Sie danach mindestens eine Epoche übrig.</translation>
    </message>
    <message>
        <source>The final learning rate, %1, must not be above the peak learning rate, %2.</source>
        <translation>Die endgültige Lernrate %1 darf nicht über der höchsten Lernrate %2 liegen.</translation>
    </message>
    <message>
        <source>The minimum crop scale is larger than the maximum.</source>
        <translation>Der kleinste Ausschnittsfaktor ist größer als der größte.</translation>
    </message>
    <message>
        <source>At least one of the loss weights for attention, predictions and labels must be above 0.</source>
        <translation>Mindestens eines der Verlustgewichte für Attention, Vorhersagen und Labels muss über 0 liegen.</translation>
    </message>
    <message>
        <source>intervals overlap with %1</source>
        <translation>Intervall überlappt das von %1</translation>
    </message>
    <message>
        <source>%1 points more than %2</source>
        <translation>%1 Punkte mehr als %2</translation>
    </message>
    <message>
        <source>%1 points less than %2</source>
        <translation>%1 Punkte weniger als %2</translation>
    </message>
    <message>
        <source>made with another model</source>
        <translation>mit einem anderen Modell erstellt</translation>
    </message>
    <message>
        <source>made with other weights</source>
        <translation>mit anderen Gewichten erstellt</translation>
    </message>
    <message>
        <source>made with device %1</source>
        <translation>mit Gerät %1 erstellt</translation>
    </message>
    <message>
        <source>made with %1 views</source>
        <translation>mit %1 Views erstellt</translation>
    </message>
    <message>
        <source>The settings contain backends that this build does not support (%1); they are skipped.</source>
        <translation>Die Einstellungen enthalten Backends, die diese Programmversion nicht unterstützt (%1); sie werden übergangen.</translation>
    </message>
    <message>
        <source>The settings file was damaged (%1); defaults are used and the file was kept as %2.</source>
        <translation>Die Einstellungsdatei war beschädigt (%1); es gelten die Standardwerte, und die Datei wurde als %2 aufbewahrt.</translation>
    </message>
    <message>
        <source>The settings file is damaged (%1) and cannot be moved aside; defaults are used.</source>
        <translation>Die Einstellungsdatei ist beschädigt (%1) und kann nicht beiseitegelegt werden; es gelten die Standardwerte.</translation>
    </message>
    <message>
        <source>Settings could not be saved to %1; check that the folder is writable.</source>
        <translation>Die Einstellungen konnten nicht in %1 gespeichert werden; prüfen Sie, ob der Ordner beschreibbar ist.</translation>
    </message>
    <message>
        <source>Unknown field “%1:”; the fields are %2.</source>
        <translation>Unbekanntes Feld „%1:“; die Felder sind %2.</translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation>mittlerer quadratischer Fehler</translation>
    </message>
    <message>
        <source>variance over seeds</source>
        <translation>Varianz über Seeds</translation>
    </message>
    <message>
        <source>relative error of the class token</source>
        <translation>relativer Fehler des Klassen-Tokens</translation>
    </message>
    <message>
        <source>relative error of the patches</source>
        <translation>relativer Fehler der Patches</translation>
    </message>
    <message>
        <source>%1 is largest</source>
        <translation>%1 ist am größten</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>made with one thread per core</source>
        <translation>mit einem Thread pro Kern erstellt</translation>
    </message>
    <message>
        <source>made with %1 s</source>
        <translation>mit %1 s erstellt</translation>
    </message>
    <message>
        <source>The results of the last session cannot be shown (their file %1); it was kept as %2.</source>
        <translation>Die Ergebnisse der letzten Sitzung können nicht gezeigt werden (ihre Datei: %1); sie wurde als %2 aufgehoben.</translation>
    </message>
    <message>
        <source>The results of the last session cannot be shown (their file %1).</source>
        <translation>Die Ergebnisse der letzten Sitzung können nicht gezeigt werden (ihre Datei: %1).</translation>
    </message>
    <message>
        <source>Open another one with Ctrl+O.</source>
        <translation>Öffnen Sie mit Strg+O eine andere.</translation>
    </message>
    <message numerus="yes">
        <source>mean over %1 seed(s)</source>
        <translation>
            <numerusform>Mittel über %1 Seed</numerusform>
            <numerusform>Mittel über %1 Seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 thread(s)</source>
        <translation>
            <numerusform>mit %1 Thread erstellt</numerusform>
            <numerusform>mit %1 Threads erstellt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 seed(s)</source>
        <translation>
            <numerusform>mit %1 Seed erstellt</numerusform>
            <numerusform>mit %1 Seeds erstellt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made with %1 repetition(s)</source>
        <translation>
            <numerusform>mit %1 Wiederholung erstellt</numerusform>
            <numerusform>mit %1 Wiederholungen erstellt</numerusform>
        </translation>
    </message>
    <message>
        <source>not paired</source>
        <translation>nicht gepaart</translation>
    </message>
    <message>
        <source>not timed in the same rounds as %1, so neither is called faster</source>
        <translation>nicht in denselben Runden gemessen wie %1, daher heißt keiner der beiden schneller</translation>
    </message>
    <message>
        <source>no clear difference from %1</source>
        <translation>kein klarer Unterschied zu %1</translation>
    </message>
    <message>
        <source>%1 faster than %2</source>
        <translation>%1 schneller als %2</translation>
    </message>
    <message>
        <source>%1 slower than %2</source>
        <translation>%1 langsamer als %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1: unknown file format; use the extension %2.</source>
        <translation>%1: unbekanntes Dateiformat; verwenden Sie die Endung %2.</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>The other inputs are not affected.</source>
        <translation>Die anderen Eingaben sind nicht betroffen.</translation>
    </message>
    <message>
        <source>made without class embeddings</source>
        <translation>ohne Klassen-Embeddings erstellt</translation>
    </message>
    <message>
        <source>made with other class embeddings</source>
        <translation>mit anderen Klassen-Embeddings erstellt</translation>
    </message>
    <message>
        <source>not worth it: no gain</source>
        <translation>lohnt sich nicht: kein Gewinn</translation>
    </message>
    <message>
        <source>not worth it: ignores the queries</source>
        <translation>lohnt sich nicht: ignoriert die Queries</translation>
    </message>
    <message>
        <source>worth an evaluation</source>
        <translation>eine Auswertung wert</translation>
    </message>
    <message>
        <source>not worth it: another class</source>
        <translation>lohnt sich nicht: andere Klasse</translation>
    </message>
    <message>
        <source>%1 (stopped early)</source>
        <translation>%1 (vorzeitig gestoppt)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>the same as %1</source>
        <translation>wie %1</translation>
    </message>
    <message>
        <source>%1 vs. %2</source>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>Charts as SVG (*.svg);;Charts as PNG, 2× (*.png);;Charts as PDF (*.pdf);;Table as CSV (*.csv);;Table as TSV (*.tsv);;All results as JSON (*.json)</source>
        <translation>Diagramme als SVG (*.svg);;Diagramme als PNG, 2× (*.png);;Diagramme als PDF (*.pdf);;Tabelle als CSV (*.csv);;Tabelle als TSV (*.tsv);;Alle Ergebnisse als JSON (*.json)</translation>
    </message>
    <message>
        <source>Replace the second chart?</source>
        <translation>Zweites Diagramm ersetzen?</translation>
    </message>
    <message>
        <source>The second chart is saved next to the first one, but %1 already exists.</source>
        <translation>Das zweite Diagramm wird neben dem ersten gespeichert, aber %1 existiert bereits.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::AttentionChoice</name>
    <message>
        <source>More options</source>
        <translation>Mehr Optionen</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>native (model default)</source>
        <translation>native (Standard des Modells)</translation>
    </message>
    <message>
        <source>Attention specification</source>
        <translation>Attention-Spezifikation</translation>
    </message>
    <message>
        <source>More attention options</source>
        <translation>Mehr Attention-Optionen</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Weniger Optionen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendHeader</name>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendList</name>
    <message>
        <source>same as run</source>
        <translation>wie der Lauf</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>%1 weights</source>
        <translation>%1-Gewichte</translation>
    </message>
    <message>
        <source>native means the model&apos;s own attention; specify that attention by name here</source>
        <translation>native bedeutet die Attention des Modells; geben Sie diese Attention hier mit Namen an</translation>
    </message>
    <message>
        <source>Without training</source>
        <translation>Ohne Training</translation>
    </message>
    <message>
        <source>Paper, N = 196</source>
        <translation>Paper, N = 196</translation>
    </message>
    <message>
        <source>Paper, N = 784</source>
        <translation>Paper, N = 784</translation>
    </message>
    <message>
        <source>All backends, defaults</source>
        <translation>Alle Backends, Standard</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendRow</name>
    <message>
        <source>%1: %2
%3</source>
        <translation>%1: %2
%3</translation>
    </message>
    <message>
        <source>Use %1 as reference</source>
        <translation>%1 als Referenz verwenden</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Drop-in form</source>
        <translation>Drop-in-Form</translation>
    </message>
    <message>
        <source>Drop-in form of %1</source>
        <translation>Drop-in-Form von %1</translation>
    </message>
    <message>
        <source>Options that keep the accuracy of weights trained with softmax:
%1</source>
        <translation>Optionen, die die Genauigkeit von mit softmax trainierten Gewichten erhalten:
%1</translation>
    </message>
    <message>
        <source>More options</source>
        <translation>Mehr Optionen</translation>
    </message>
    <message>
        <source>More options of %1</source>
        <translation>Mehr Optionen von %1</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>every block has all tokens</source>
        <translation>jeder Block hat alle Token</translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation>Token von %1</translation>
    </message>
    <message>
        <source>own</source>
        <translation>eigene</translation>
    </message>
    <message>
        <source>How linear layers are stored: in the type of the computation, or in 8 bits with inputs rounded to 8 bits, which takes a quarter of the memory and less time</source>
        <translation>Wie lineare Schichten gespeichert werden: im Typ der Berechnung oder in 8 Bit mit auf 8 Bit gerundeten Eingaben, was ein Viertel des Speichers und weniger Zeit braucht</translation>
    </message>
    <message>
        <source>Weights of %1</source>
        <translation>Gewichte von %1</translation>
    </message>
    <message>
        <source>Fewer options</source>
        <translation>Weniger Optionen</translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation>Als Referenz verwenden</translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation>Weiteres %1 hinzufügen</translation>
    </message>
    <message>
        <source>Reset to defaults</source>
        <translation>Auf Standard zurücksetzen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>weights dtype</source>
        <translation>Gewichte-dtype</translation>
    </message>
    <message>
        <source>Mixed: different attention per layer</source>
        <translation>Gemischt: je Schicht eine andere Attention</translation>
    </message>
    <message>
        <source>The network that this runs in, by its weights</source>
        <translation>Das Netz, in dem dies läuft, nach seinen Gewichten</translation>
    </message>
    <message>
        <source>Network of %1</source>
        <translation>Netz von %1</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>same as run</source>
        <translation>wie der Lauf</translation>
    </message>
    <message>
        <source>The type that its network computes in: another one makes it a column of its own</source>
        <translation>Der Typ, in dem sein Netz rechnet: ein anderer macht daraus eine eigene Spalte</translation>
    </message>
    <message>
        <source>dtype of %1</source>
        <translation>dtype von %1</translation>
    </message>
    <message>
        <source>Remove all of %1</source>
        <translation>Alle von %1 entfernen</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BackendsPanel</name>
    <message>
        <source>Backends and presets</source>
        <translation>Backends und Vorlagen</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>Vorlage %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchDetails</name>
    <message>
        <source>Run details</source>
        <translation>Details des Laufs</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Confusion</source>
        <translation>Verwechslung</translation>
    </message>
    <message>
        <source>Misclassified</source>
        <translation>Fehlklassifiziert</translation>
    </message>
    <message>
        <source>Pairwise comparison</source>
        <translation>Paarvergleich</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Filter of misclassified samples</source>
        <translation>Filter der fehlklassifizierten Beispiele</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>Klasse</translation>
    </message>
    <message>
        <source>True class of the samples</source>
        <translation>Wahre Klasse der Beispiele</translation>
    </message>
    <message>
        <source>Accuracy by class</source>
        <translation>Genauigkeit nach Klasse</translation>
    </message>
    <message>
        <source>Confused classes</source>
        <translation>Verwechselte Klassen</translation>
    </message>
    <message>
        <source>Pairwise comparison of backends</source>
        <translation>Paarvergleich der Backends</translation>
    </message>
    <message>
        <source>Files that could not be read</source>
        <translation>Dateien, die nicht gelesen werden konnten</translation>
    </message>
    <message>
        <source>Select a run above that has started to see its classes, misclassified samples and pairwise comparison.</source>
        <translation>Wählen Sie oben einen begonnenen Lauf, um seine Klassen, fehlklassifizierten Beispiele und den Paarvergleich zu sehen.</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Classes that lose most compared with %1 come first. Click a class to see its misclassified samples.</source>
        <translation>Klassen mit dem größten Verlust gegenüber %1 zuerst. Klicken Sie auf eine Klasse, um ihre fehlklassifizierten Beispiele zu sehen.</translation>
    </message>
    <message>
        <source>Worst classes first. Click a class to see its misclassified samples.</source>
        <translation>Schlechteste Klassen zuerst. Klicken Sie auf eine Klasse, um ihre fehlklassifizierten Beispiele zu sehen.</translation>
    </message>
    <message>
        <source>%1 does not confuse any classes.</source>
        <translation>%1 verwechselt keine Klassen.</translation>
    </message>
    <message>
        <source>The %1 most frequent confusions of %2. Click a row to see its images.</source>
        <translation>Die %1 häufigsten Verwechslungen von %2. Klicken Sie auf eine Zeile, um ihre Bilder zu sehen.</translation>
    </message>
    <message>
        <source>%1 predicted as %2</source>
        <translation>%1, vorhergesagt als %2</translation>
    </message>
    <message>
        <source>%1: none yet</source>
        <translation>%1: noch keine</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>There is only one backend, so there is nothing to compare it with.</source>
        <translation>Es gibt nur ein Backend und damit nichts, womit es verglichen werden kann.</translation>
    </message>
    <message>
        <source>All files could be read.</source>
        <translation>Alle Dateien konnten gelesen werden.</translation>
    </message>
    <message>
        <source>They count as neither correct nor wrong.</source>
        <translation>Sie zählen weder als richtig noch als falsch.</translation>
    </message>
    <message>
        <source>Wrong where %1 is correct</source>
        <translation>Falsch, wo %1 richtig ist</translation>
    </message>
    <message>
        <source>Correct where %1 is wrong</source>
        <translation>Richtig, wo %1 falsch ist</translation>
    </message>
    <message>
        <source>Both wrong</source>
        <translation>Beide falsch</translation>
    </message>
    <message>
        <source>Prediction differs from %1</source>
        <translation>Andere Vorhersage als %1</translation>
    </message>
    <message>
        <source>All misclassified</source>
        <translation>Alle fehlklassifizierten</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchPage</name>
    <message>
        <source>class folders (images)</source>
        <translation>Klassenordner (Bilder)</translation>
    </message>
    <message>
        <source>class folders (videos)</source>
        <translation>Klassenordner (Videos)</translation>
    </message>
    <message>
        <source>list</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same evaluation</source>
        <translation>Der Befehl von attnscope-cli für dieselbe Auswertung</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Ordner hinzufügen</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Maximum number of samples</source>
        <translation>Höchstzahl der Beispiele</translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation>Anzahl der Beispiele, gleichmäßig über den Ordner verteilt</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Folder to evaluate</source>
        <translation>Ordner zum Auswerten</translation>
    </message>
    <message>
        <source>Continue from %1</source>
        <translation>Ab %1 fortsetzen</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Pause after this batch</source>
        <translation>Nach diesem Batch pausieren</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Show in Results</source>
        <translation>In Ergebnissen zeigen</translation>
    </message>
    <message>
        <source>Stop and remove from the queue</source>
        <translation>Stoppen und aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>Aus der Warteschlange entfernen</translation>
    </message>
    <message>
        <source>Results so far stay in the store</source>
        <translation>Bisherige Ergebnisse bleiben gespeichert</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3 (%4).</source>
        <translation>%1 wurde nach %2 von %3 gestoppt (%4).</translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation>
            <numerusform>%1 Backend</numerusform>
            <numerusform>%1 Backends</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 Klasse</numerusform>
            <numerusform>%1 Klassen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>videos</source>
        <translation>Videos</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>all sampled files can be read</source>
        <translation>alle geprüften Dateien sind lesbar</translation>
    </message>
    <message numerus="yes">
        <source>%1 sampled file(s) cannot be read</source>
        <translation>
            <numerusform>%1 geprüfte Datei ist nicht lesbar</numerusform>
            <numerusform>%1 geprüfte Dateien sind nicht lesbar</numerusform>
        </translation>
    </message>
    <message>
        <source>Cannot be evaluated</source>
        <translation>Nicht auswertbar</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>Prüfung…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Table as CSV (*.csv)</source>
        <translation>Tabelle als CSV (*.csv)</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s)</source>
        <translation>
            <numerusform>%1 Beispiel</numerusform>
            <numerusform>%1 Beispiele</numerusform>
        </translation>
    </message>
    <message>
        <source>Protocol</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Evaluate as published: labels, classes among which is predicted, sampling and figures</source>
        <translation>Auswerten wie veröffentlicht: Label, Klassen, unter denen vorhergesagt wird, Abtastung und Kennzahlen</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keines</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::BatchSession</name>
    <message>
        <source>Evaluate on %1: %2, %3 %4</source>
        <translation>Auf %1 auswerten: %2, %3 %4</translation>
    </message>
    <message numerus="yes">
        <source>%1 class(es)</source>
        <translation>
            <numerusform>%1 Klasse</numerusform>
            <numerusform>%1 Klassen</numerusform>
        </translation>
    </message>
    <message>
        <source>videos</source>
        <translation>Videos</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>No backend is selected; select one under Backends, then add the folder again.</source>
        <translation>Kein Backend ist ausgewählt; wählen Sie eines unter „Backends“ aus und fügen Sie den Ordner erneut hinzu.</translation>
    </message>
    <message>
        <source>The evaluation of %1 was stopped after %2 of %3.</source>
        <translation>Die Auswertung von %1 wurde nach %2 von %3 gestoppt.</translation>
    </message>
    <message>
        <source>evaluate · %1</source>
        <translation>Auswertung · %1</translation>
    </message>
    <message>
        <source>write demo images</source>
        <translation>Demobilder schreiben</translation>
    </message>
    <message>
        <source>Evaluation in progress</source>
        <translation>Auswertung läuft</translation>
    </message>
    <message>
        <source>%1 is at %2 of %3. Pausing loses nothing: all predictions so far are in the store.</source>
        <translation>%1 ist bei %2 von %3. Beim Pausieren geht nichts verloren: Alle bisherigen Vorhersagen sind in den Ergebnissen gespeichert.</translation>
    </message>
    <message>
        <source>Continue on the Batch screen, or with this command in a terminal:

%1</source>
        <translation>Setzen Sie in der Ansicht „Batch“ fort oder mit diesem Befehl in einem Terminal:

%1</translation>
    </message>
    <message>
        <source>Pause and close</source>
        <translation>Pausieren und schließen</translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation>%1 von %2 Dateien</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>waiting for measurement</source>
        <translation>wartet auf Messung</translation>
    </message>
    <message>
        <source>disk full</source>
        <translation>Platte voll</translation>
    </message>
    <message>
        <source>pausing after this batch</source>
        <translation>pausiert nach diesem Batch</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Lädt…</translation>
    </message>
    <message>
        <source>%1 %2/s</source>
        <translation>%1 %2/s</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1 von %2 bereit</translation>
    </message>
    <message>
        <source>Bottleneck: decoding</source>
        <translation>Engpass: Dekodieren</translation>
    </message>
    <message>
        <source>Bottleneck: inference</source>
        <translation>Engpass: Inferenz</translation>
    </message>
    <message>
        <source>Bottleneck: disk</source>
        <translation>Engpass: Platte</translation>
    </message>
    <message>
        <source>Scanning %1</source>
        <translation>%1 wird geprüft</translation>
    </message>
    <message>
        <source>%1 cannot be evaluated</source>
        <translation>%1 ist nicht auswertbar</translation>
    </message>
    <message>
        <source>%1 is ready</source>
        <translation>%1 ist bereit</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 of %3</source>
        <translation>%1 wurde nach %2 von %3 gestoppt</translation>
    </message>
    <message>
        <source>Evaluating %1</source>
        <translation>%1 wird ausgewertet</translation>
    </message>
    <message>
        <source> so far</source>
        <translation> bisher</translation>
    </message>
    <message>
        <source>%1%2: %3 % top-1</source>
        <translation>%1%2: %3 % Top-1</translation>
    </message>
    <message>
        <source> (reference)</source>
        <translation> (Referenz)</translation>
    </message>
    <message>
        <source>%1 ≈ %2 % of %3</source>
        <translation>%1 ≈ %2 % bei %3</translation>
    </message>
    <message>
        <source>%1; %2 %3 % on the same samples</source>
        <translation>%1; %2 %3 % auf denselben Beispielen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%3: %1 von %2</translation>
    </message>
    <message>
        <source>%1 in total</source>
        <translation>%1 insgesamt</translation>
    </message>
    <message>
        <source>%1 of results, %2 free</source>
        <translation>%1 Ergebnisse, %2 frei</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>Evaluating: %1</source>
        <translation>Auswertung: %1</translation>
    </message>
    <message>
        <source>The evaluation of %1 failed after %2 of %3</source>
        <translation>Die Auswertung von %1 ist nach %2 von %3 fehlgeschlagen</translation>
    </message>
    <message>
        <source>The evaluation of %1 failed</source>
        <translation>Die Auswertung von %1 ist fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CellModel</name>
    <message>
        <source>none</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ChartView</name>
    <message>
        <source>both axes logarithmic</source>
        <translation>beide Achsen logarithmisch</translation>
    </message>
    <message>
        <source>%1: logarithmic axis</source>
        <translation>%1: logarithmische Achse</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 stopped: %2</source>
        <translation>%1 gestoppt: %2</translation>
    </message>
    <message>
        <source>%1: no data yet</source>
        <translation>%1: noch keine Daten</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1
stopped: %2</source>
        <translation>%1
gestoppt: %2</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>Scale of the axes</source>
        <translation>Skala der Achsen</translation>
    </message>
    <message>
        <source>Automatic: an axis becomes logarithmic where a few large values would squeeze the others together</source>
        <translation>Automatisch: Eine Achse wird logarithmisch, wo wenige große Werte die anderen zusammendrängen würden</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>automatisch</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>logarithmisch</translation>
    </message>
    <message>
        <source>%1, %2 %3: %4</source>
        <translation>%1, %2 %3: %4</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CheckpointDialog</name>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>According to its name its SHA-256 should begin with %1, but it begins with %2; the file was changed, or its download is incomplete.</source>
        <translation>Dem Dateinamen nach sollte die SHA-256 mit %1 beginnen, sie beginnt aber mit %2; die Datei wurde geändert oder unvollständig heruntergeladen.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>Aus dem Checkpoint</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>Attention-Köpfe</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>The file does not contain the number of heads. With 64 channels per head, as in DeiT, it would be %1.</source>
        <translation>Die Datei enthält die Anzahl der Köpfe nicht. Mit 64 Kanälen je Kopf, wie bei DeiT, wäre sie %1.</translation>
    </message>
    <message>
        <source>The file does not contain the number of heads.</source>
        <translation>Die Datei enthält die Anzahl der Köpfe nicht.</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlend</translation>
    </message>
    <message>
        <source>Shape mismatch</source>
        <translation>Form passt nicht</translation>
    </message>
    <message>
        <source>Unexpected</source>
        <translation>Unerwartet</translation>
    </message>
    <message>
        <source>Non-finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Resized</source>
        <translation>Angepasst</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Ignoriert</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Tensors (%1)</source>
        <translation>Tensoren (%1)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Use these weights</source>
        <translation>Gewichte verwenden</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ColourLegend</name>
    <message>
        <source>Colour scale of %1: %2 to %3</source>
        <translation>Farbskala von %1: %2 bis %3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandDialog</name>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>attnscope-cli is not next to this program; install Attnscope again.</source>
        <translation>attnscope-cli liegt nicht neben diesem Programm; installieren Sie Attnscope neu.</translation>
    </message>
    <message>
        <source>Looking at this machine…</source>
        <translation>Dieser Rechner wird untersucht…</translation>
    </message>
    <message>
        <source>%1 cannot be started (%2); install Attnscope again.</source>
        <translation>%1 kann nicht gestartet werden (%2); installieren Sie Attnscope neu.</translation>
    </message>
    <message>
        <source>attnscope-cli %1 ended without a report (%2).</source>
        <translation>attnscope-cli %1 endete ohne Bericht (%2).</translation>
    </message>
    <message>
        <source>Doctor</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>What is installed, what works, and what is missing</source>
        <translation>Was installiert ist, was funktioniert und was fehlt</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Which GPUs can be used, and what keeps others from it</source>
        <translation>Welche GPUs benutzt werden können und was andere daran hindert</translation>
    </message>
    <message>
        <source>&amp;Install</source>
        <translation>&amp;Installieren</translation>
    </message>
    <message>
        <source>Downloads LibTorch&apos;s libraries for GPUs (2.5 GB). Restart Attnscope afterwards.</source>
        <translation>Lädt LibTorchs Bibliotheken für GPUs herunter (2,5 GB). Starten Sie Attnscope danach neu.</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Deletes what Install has downloaded (3.2 GB).</source>
        <translation>Löscht, was Installieren heruntergeladen hat (3,2 GB).</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandLine</name>
    <message>
        <source>made without inputs</source>
        <translation>ohne Eingaben erstellt</translation>
    </message>
    <message>
        <source>made without %1</source>
        <translation>ohne %1 erstellt</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>mit %1 erstellt</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CommandPalette</name>
    <message>
        <source>Nothing fits “%1”; try another word.</source>
        <translation>Zu „%1“ passt nichts; ein anderes Wort versuchen.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareCard</name>
    <message>
        <source>Previous input</source>
        <translation>Vorherige Eingabe</translation>
    </message>
    <message>
        <source>Next input</source>
        <translation>Nächste Eingabe</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Comparison as a table</source>
        <translation>Vergleich als Tabelle</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Use as reference</source>
        <translation>Als Referenz verwenden</translation>
    </message>
    <message>
        <source>Pin reference first</source>
        <translation>Referenz vorn anheften</translation>
    </message>
    <message>
        <source>Move left</source>
        <translation>Nach links</translation>
    </message>
    <message>
        <source>Move right</source>
        <translation>Nach rechts</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Sort by %1</source>
        <translation>Nach %1 sortieren</translation>
    </message>
    <message>
        <source>%1 (%2): click to sort</source>
        <translation>%1 (%2): zum Sortieren klicken</translation>
    </message>
    <message>
        <source>ascending</source>
        <translation>aufsteigend</translation>
    </message>
    <message>
        <source>descending</source>
        <translation>absteigend</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ComparePage</name>
    <message>
        <source> · %1 s</source>
        <translation> · %1 s</translation>
    </message>
    <message>
        <source>Pareto</source>
        <translation>Pareto</translation>
    </message>
    <message>
        <source>Bars</source>
        <translation>Balken</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>Verglichen</translation>
    </message>
    <message>
        <source>Classes</source>
        <translation>Klassen</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>What is compared: predicted classes, or the network&apos;s features with those of exact attention</source>
        <translation>Was verglichen wird: vorhergesagte Klassen oder die Merkmale des Netzes mit denen exakter Attention</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Cells</source>
        <translation>Zellen</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats this comparison</source>
        <translation>Der Befehl von attnscope-cli, der diesen Vergleich wiederholt</translation>
    </message>
    <message>
        <source>Kind of chart</source>
        <translation>Art des Diagramms</translation>
    </message>
    <message>
        <source>lower left is better</source>
        <translation>links unten ist besser</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>Vertikale Achse</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Horizontale Achse</translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation>Punkte erscheinen, sobald sie gemessen sind</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>Alle Werte</translation>
    </message>
    <message>
        <source>%1×%2</source>
        <translation>%1×%2</translation>
    </message>
    <message>
        <source> · rotated</source>
        <translation> · gedreht</translation>
    </message>
    <message>
        <source>Rotated for display according to the file&apos;s metadata; the model sees it as stored, as in the published evaluation</source>
        <translation>Für die Anzeige nach den Metadaten der Datei gedreht; das Modell sieht es wie gespeichert, wie in der publizierten Auswertung</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source> (and %1 more like it)</source>
        <translation> (und %1 weitere dieser Art)</translation>
    </message>
    <message>
        <source>lower is better</source>
        <translation>niedriger ist besser</translation>
    </message>
    <message>
        <source>all values for this input</source>
        <translation>alle Werte für diese Eingabe</translation>
    </message>
    <message>
        <source>each view&apos;s probability of the class ranked first by their mean</source>
        <translation>Wahrscheinlichkeit in jedem View für die Klasse, die im Mittel an erster Stelle steht</translation>
    </message>
    <message>
        <source>patches merged into one token share an outline</source>
        <translation>zu einem Token verschmolzene Patches teilen einen Umriss</translation>
    </message>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Views</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>All numbers as CSV (*.csv)</source>
        <translation>Alle Zahlen als CSV (*.csv)</translation>
    </message>
    <message>
        <source>All numbers as TSV (*.tsv)</source>
        <translation>Alle Zahlen als TSV (*.tsv)</translation>
    </message>
    <message>
        <source>All results as JSON (*.json)</source>
        <translation>Alle Ergebnisse als JSON (*.json)</translation>
    </message>
    <message>
        <source>Chart as PNG, 2× (*.png)</source>
        <translation>Diagramm als PNG, 2× (*.png)</translation>
    </message>
    <message>
        <source>Chart as SVG (*.svg)</source>
        <translation>Diagramm als SVG (*.svg)</translation>
    </message>
    <message>
        <source>Chart as PDF (*.pdf)</source>
        <translation>Diagramm als PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Images of the patches as PNG, 2× (*.png)</source>
        <translation>Bilder der Patches als PNG, 2× (*.png)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::CompareSession</name>
    <message>
        <source>compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messung läuft</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ContextBar</name>
    <message>
        <source>untrained, seed 0</source>
        <translation>untrainiert, Seed 0</translation>
    </message>
    <message>
        <source>untrained, seed %1</source>
        <translation>untrainiert, Seed %1</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>dtype and seed</source>
        <translation>dtype und Seed</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>CPU, 1 thread</source>
        <translation>CPU, 1 Thread</translation>
    </message>
    <message>
        <source>CPU, %1 threads</source>
        <translation>CPU, %1 Threads</translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation>Checkpoint öffnen…</translation>
    </message>
    <message>
        <source>Open class embeddings…</source>
        <translation>Klassen-Embeddings öffnen…</translation>
    </message>
    <message>
        <source>Without class embeddings</source>
        <translation>Ohne Klassen-Embeddings</translation>
    </message>
    <message>
        <source>%1
classes of %2</source>
        <translation>%1
Klassen von %2</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>Aus dem Checkpoint</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>untrainiert</translation>
    </message>
    <message>
        <source>Random weights; costs are meaningful, predictions are not.</source>
        <translation>Zufällige Gewichte; Kosten sind aussagekräftig, Vorhersagen sind es nicht.</translation>
    </message>
    <message>
        <source>trained with %1</source>
        <translation>trainiert mit %1</translation>
    </message>
    <message>
        <source>%1 · %2 tokens</source>
        <translation>%1 · %2 Token</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Token</translation>
    </message>
    <message>
        <source>attention %1 · ≤ %2</source>
        <translation>Attention %1 · ≤ %2</translation>
    </message>
    <message>
        <source>Attention is %1 of the multiply-adds of a pass with the model&apos;s own attention, without the projections around it. Another attention makes a pass at most %2 as fast, as far as time follows arithmetic.</source>
        <translation>Attention macht %1 der Multiply-Adds eines Durchlaufs mit der Attention des Modells aus, ohne die Projektionen darum herum. Eine andere Attention macht einen Durchlauf höchstens %2 so schnell, soweit die Zeit der Arithmetik folgt.</translation>
    </message>
    <message>
        <source>Click to choose another image size.</source>
        <translation>Klicken Sie, um eine andere Bildgröße zu wählen.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Backends %1</source>
        <translation>Backends %1</translation>
    </message>
    <message>
        <source>at most %1 faster</source>
        <translation>höchstens %1 schneller</translation>
    </message>
    <message>
        <source>Add a checkpoint…</source>
        <translation>Checkpoint hinzufügen…</translation>
    </message>
    <message>
        <source>Without %1</source>
        <translation>Ohne %1</translation>
    </message>
    <message>
        <source>GPUs…</source>
        <translation>GPUs…</translation>
    </message>
    <message>
        <source>Which GPUs can be used, what is missing, and its installation</source>
        <translation>Welche GPUs benutzt werden können, was fehlt und wie es installiert wird</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::DecodeTab</name>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>Kopfgröße</translation>
    </message>
    <message>
        <source>Positions in tokens</source>
        <translation>Positionen in Token</translation>
    </message>
    <message>
        <source>Source of the tokens</source>
        <translation>Quelle der Token</translation>
    </message>
    <message>
        <source>Independent</source>
        <translation>Unabhängig</translation>
    </message>
    <message>
        <source>Correlated</source>
        <translation>Korreliert</translation>
    </message>
    <message>
        <source>To be recalled</source>
        <translation>Abzurufen</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>Aus Datei…</translation>
    </message>
    <message>
        <source>q, k and v of every token are independent standard normal numbers</source>
        <translation>q, k und v jedes Tokens sind unabhängige standardnormalverteilte Zahlen</translation>
    </message>
    <message>
        <source>Neighbours are alike, as the frames of a video</source>
        <translation>Nachbarn ähneln sich wie die Frames eines Videos</translation>
    </message>
    <message>
        <source>Every query asks for what came 128 tokens ago</source>
        <translation>Jede Query fragt nach dem, was vor 128 Token kam</translation>
    </message>
    <message>
        <source>The tokens of one layer in a file of q, k and v</source>
        <translation>Die Token einer Schicht in einer Datei mit q, k und v</translation>
    </message>
    <message>
        <source>Layer of the file</source>
        <translation>Schicht der Datei</translation>
    </message>
    <message>
        <source>Factor of the logits</source>
        <translation>Faktor der Logits</translation>
    </message>
    <message>
        <source>Factor of the logits: q and k are each multiplied by its square root</source>
        <translation>Faktor der Logits: q und k werden jeweils mit seiner Quadratwurzel multipliziert</translation>
    </message>
    <message>
        <source>The whole file</source>
        <translation>Die ganze Datei</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>Positionen</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Time of one token</source>
        <translation>Zeit eines Tokens</translation>
    </message>
    <message>
        <source>Weight of a token in later outputs</source>
        <translation>Gewicht eines Tokens in späteren Ausgaben</translation>
    </message>
    <message>
        <source>The response to a value of 1 at one token and 0 at all others: what a gate or a window forgets</source>
        <translation>Die Antwort auf einen Wert von 1 bei einem Token und 0 bei allen anderen: was ein Gate oder ein Fenster vergisst</translation>
    </message>
    <message>
        <source>Points appear as positions are reached</source>
        <translation>Punkte erscheinen, sobald Positionen erreicht sind</translation>
    </message>
    <message>
        <source>Needs more tokens</source>
        <translation>Braucht mehr Token</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>Alle Werte</translation>
    </message>
    <message>
        <source>Later weights</source>
        <translation>Spätere Gewichte</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Aus %1</translation>
    </message>
    <message>
        <source>Select a mechanism to compare with the cache.</source>
        <translation>Wählen Sie einen Mechanismus zum Vergleich mit dem Cache aus.</translation>
    </message>
    <message>
        <source>Streams are not computed in %1; choose float32 or float64 in the bar above.</source>
        <translation>Streams werden nicht in %1 berechnet; wählen Sie in der Leiste oben float32 oder float64.</translation>
    </message>
    <message>
        <source>Positions in ascending order, separated by commas</source>
        <translation>Positionen in aufsteigender Reihenfolge, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>What does one more token cost?</source>
        <translation>Was kostet ein weiteres Token?</translation>
    </message>
    <message>
        <source>Time, state and error of %1</source>
        <translation>Zeit, Zustand und Fehler von %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 mechanism(s)</source>
        <translation>
            <numerusform>%1 Mechanismus</numerusform>
            <numerusform>%1 Mechanismen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, over all tokens of %2.</source>
        <translation>%1, über alle Token von %2.</translation>
    </message>
    <message>
        <source>%1, up to token %2 of %3.</source>
        <translation>%1, bis Token %2 von %3.</translation>
    </message>
    <message>
        <source>%1, up to %2 tokens: %3.</source>
        <translation>%1, bis zu %2 Token: %3.</translation>
    </message>
    <message>
        <source>Next to softmax with a cache, on one thread of the CPU. Errors are those from softmax over all tokens so far.</source>
        <translation>Neben softmax mit einem Cache, auf einem Thread der CPU. Fehler sind die gegenüber softmax über alle bisherigen Token.</translation>
    </message>
    <message>
        <source>Measuring the first position</source>
        <translation>Die erste Position wird gemessen</translation>
    </message>
    <message>
        <source>Cost of a token vs. position</source>
        <translation>Kosten eines Tokens über der Position</translation>
    </message>
    <message>
        <source>Streams take turns over the same tokens; the last ones before each position are timed one by one.</source>
        <translation>Die Streams wechseln sich auf denselben Token ab; die letzten vor jeder Position werden einzeln gemessen.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>State between tokens</source>
        <translation>Zustand zwischen Token</translation>
    </message>
    <message>
        <source>Error vs. exact softmax</source>
        <translation>Fehler gegenüber exaktem softmax</translation>
    </message>
    <message>
        <source>Medians; bands: 5th to 95th percentile</source>
        <translation>Mediane; Bänder: 5. bis 95. Perzentil</translation>
    </message>
    <message>
        <source>Bytes that are kept for the next token, all heads</source>
        <translation>Bytes, die für das nächste Token aufbewahrt werden, alle Köpfe</translation>
    </message>
    <message>
        <source>Relative error of the timed tokens; the cache&apos;s own is rounding</source>
        <translation>Relativer Fehler der gemessenen Token; der des Cache selbst ist Rundung</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>q, k, v öffnen…</translation>
    </message>
    <message>
        <source>cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>window</source>
        <translation>Fenster</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EmptyScreen</name>
    <message>
        <source>Drop a folder of images or videos</source>
        <translation>Ordner mit Bildern oder Videos ablegen</translation>
    </message>
    <message>
        <source>See how accurate each backend is, which classes it loses on, and whether the difference is significant.</source>
        <translation>Sehen Sie, wie genau jedes Backend ist, bei welchen Klassen es verliert und ob der Unterschied signifikant ist.</translation>
    </message>
    <message>
        <source>ImageNet and Kinetics folders, any folder with one subfolder per class, or lists in CSV, TSV or text</source>
        <translation>Ordner von ImageNet und Kinetics, jeder Ordner mit einem Unterordner je Klasse, oder Listen als CSV, TSV oder Text</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and evaluates them</source>
        <translation>Schreibt die Demoszenen in einen Cache-Ordner und wertet sie aus</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Drop an image</source>
        <translation>Bild ablegen</translation>
    </message>
    <message>
        <source>See what each attention backend predicts, what it costs and where it goes wrong.</source>
        <translation>Sehen Sie, was jedes Attention-Backend vorhersagt, was es kostet und wo es irrt.</translation>
    </message>
    <message>
        <source>JPEG, PNG, WebP, BMP, PNM, TIFF, or paste from the clipboard</source>
        <translation>JPEG, PNG, WebP, BMP, PNM, TIFF, oder aus der Zwischenablage einfügen</translation>
    </message>
    <message>
        <source>See where an approximation goes wrong</source>
        <translation>Sehen, wo eine Approximation schiefgeht</translation>
    </message>
    <message>
        <source>The error of every layer and head, and what each attends to instead.</source>
        <translation>Der Fehler jeder Schicht und jedes Kopfes und worauf sie stattdessen achten.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Drop a video, or use a camera</source>
        <translation>Video ablegen oder Kamera verwenden</translation>
    </message>
    <message>
        <source>Each backend predicts during playback: see when they agree and how long they take.</source>
        <translation>Jedes Backend sagt während der Wiedergabe voraus: Sehen Sie, wann sie übereinstimmen und wie lange sie brauchen.</translation>
    </message>
    <message>
        <source>MP4, MOV, MKV, WebM, AVI, GIF, or a folder of frames</source>
        <translation>MP4, MOV, MKV, WebM, AVI, GIF oder ein Ordner mit Frames</translation>
    </message>
    <message>
        <source>Use the camera</source>
        <translation>Kamera verwenden</translation>
    </message>
    <message>
        <source>Which images look alike to the network?</source>
        <translation>Welche Bilder sehen für das Netz gleich aus?</translation>
    </message>
    <message>
        <source>Classify by nearest features: accuracy against λ and k, and the neighbours of an image.</source>
        <translation>Klassifizieren nach nächsten Merkmalen: Genauigkeit über λ und k und die Nachbarn eines Bildes.</translation>
    </message>
    <message>
        <source>Drop a labelled folder to compute the features of its images, or open a datastore</source>
        <translation>Ordner mit Labels ablegen, um die Merkmale seiner Bilder zu berechnen, oder einen Datastore öffnen</translation>
    </message>
    <message>
        <source>Writes demo scenes to a cache folder, computes their features and evaluates them</source>
        <translation>Schreibt Demoszenen in einen Cache-Ordner, berechnet ihre Merkmale und wertet sie aus</translation>
    </message>
    <message>
        <source>No evaluations yet</source>
        <translation>Noch keine Auswertungen</translation>
    </message>
    <message>
        <source>All runs are kept here: accuracy, latency, memory and error side by side, ready to filter and export.</source>
        <translation>Hier bleiben alle Läufe erhalten: Genauigkeit, Latenz, Speicher und Fehler nebeneinander, zum Filtern und Exportieren.</translation>
    </message>
    <message>
        <source>Stores written by attnscope-cli evaluate (.sqlite) can be dropped anywhere</source>
        <translation>Von attnscope-cli evaluate geschriebene Ergebnisse (.sqlite) lassen sich überall ablegen</translation>
    </message>
    <message>
        <source>Evaluate a folder</source>
        <translation>Ordner auswerten</translation>
    </message>
    <message>
        <source>Open store…</source>
        <translation>Ergebnisse öffnen…</translation>
    </message>
    <message>
        <source>Softmax weights lose accuracy with another attention: see how much training recovers.</source>
        <translation>Softmax-Gewichte verlieren mit einer anderen Attention an Genauigkeit: Sehen Sie, wie viel Training zurückholt.</translation>
    </message>
    <message>
        <source>A folder with train and val, each with one subfolder per class; or class folders only; or lists of files</source>
        <translation>Ein Ordner mit train und val, jeweils mit einem Unterordner je Klasse; oder nur Klassenordner; oder Listen von Dateien</translation>
    </message>
    <message>
        <source>Writes the demo scenes to a cache folder and fills in the form for a training run of a minute or two</source>
        <translation>Schreibt die Demoszenen in einen Cache-Ordner und füllt das Formular für ein Training von ein bis zwei Minuten aus</translation>
    </message>
    <message>
        <source>Show settings</source>
        <translation>Einstellungen zeigen</translation>
    </message>
    <message>
        <source>Model, attention, teacher and schedule; the folder can be chosen there, too</source>
        <translation>Modell, Attention, Lehrer und Trainingsplan; auch der Ordner lässt sich dort wählen</translation>
    </message>
    <message>
        <source>Writing the demo images: %1</source>
        <translation>Demobilder werden geschrieben: %1</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>Lehrer</translation>
    </message>
    <message>
        <source>Or with 197 tokens, where there is little to gain</source>
        <translation>Oder mit 197 Token, wo wenig zu gewinnen ist</translation>
    </message>
    <message>
        <source>The demo photograph in a network of DeiT&apos;s shape; the demo has as many tokens as DINOv2 for an image of 448 pixels</source>
        <translation>Das Demofoto in einem Netz von der Form des DeiT; die Demo hat so viele Token wie DINOv2 für ein Bild mit 448 Pixeln</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::EpochsModel</name>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>Trainingsverlust</translation>
    </message>
    <message>
        <source>Mean of the minimised loss over the epoch&apos;s steps; with distillation it includes more than the cross-entropy with the labels.</source>
        <translation>Mittel des minimierten Verlusts über die Schritte der Epoche; mit Destillation umfasst er mehr als die Kreuzentropie mit den Labels.</translation>
    </message>
    <message>
        <source>Validation loss</source>
        <translation>Validierungsverlust</translation>
    </message>
    <message>
        <source>Mean cross-entropy with the labels.</source>
        <translation>Mittlere Kreuzentropie mit den Labels.</translation>
    </message>
    <message>
        <source>Top-1 %</source>
        <translation>Top-1 %</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose top prediction is correct.</source>
        <translation>Anteil der Validierungsbeispiele, deren erste Vorhersage richtig ist.</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95-%-Intervall</translation>
    </message>
    <message>
        <source>Wilson interval of top-1 (sampling uncertainty of the validation set).</source>
        <translation>Wilson-Intervall der Top-1 (Unsicherheit der Stichprobe im Validierungssatz).</translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation>Top-5 %</translation>
    </message>
    <message>
        <source>Fraction of validation samples whose true class is among the top five predictions.</source>
        <translation>Anteil der Validierungsbeispiele, deren wahre Klasse unter den ersten fünf Vorhersagen ist.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>At the epoch&apos;s last step.</source>
        <translation>Im letzten Schritt der Epoche.</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>Beispiele/s</translation>
    </message>
    <message>
        <source>Training samples per second, without validation.</source>
        <translation>Trainingsbeispiele pro Sekunde, ohne Validierung.</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Training time of the epoch, without validation but including time spent waiting for measurements.</source>
        <translation>Trainingszeit der Epoche, ohne Validierung, aber mit der Zeit, in der auf Messungen gewartet wurde.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>%1 samples, raw weights</source>
        <translation>%1 Beispiele, rohe Gewichte</translation>
    </message>
    <message>
        <source>%1 samples, EMA weights</source>
        <translation>%1 Beispiele, EMA-Gewichte</translation>
    </message>
    <message>
        <source>; %1 more were unreadable</source>
        <translation>; %1 weitere waren unlesbar</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExitsTab</name>
    <message>
        <source>Labelled folder</source>
        <translation>Ordner mit Labels</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>A folder with one subfolder per class</source>
        <translation>Ein Ordner mit einem Unterordner je Klasse</translation>
    </message>
    <message>
        <source>Number of samples</source>
        <translation>Anzahl der Beispiele</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Number of samples, spread evenly over the folder</source>
        <translation>Anzahl der Beispiele, gleichmäßig über den Ordner verteilt</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>Oracles</source>
        <translation>Orakel</translation>
    </message>
    <message>
        <source>Oracles know the label, and bound what any rule without it can do</source>
        <translation>Orakel kennen das Label und begrenzen, was eine Regel ohne es erreichen kann</translation>
    </message>
    <message>
        <source>Accuracy against blocks run</source>
        <translation>Genauigkeit über durchlaufenen Blöcken</translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation>Kurven erscheinen, sobald alles gemessen ist</translation>
    </message>
    <message>
        <source>How many blocks does a sample need?</source>
        <translation>Wie viele Blöcke braucht ein Beispiel?</translation>
    </message>
    <message>
        <source>Select at least one backend.</source>
        <translation>Wählen Sie mindestens ein Backend aus.</translation>
    </message>
    <message>
        <source>Choose a labelled folder: every block&apos;s prediction for its samples is compared with the last one&apos;s.</source>
        <translation>Wählen Sie einen Ordner mit Labels: Die Vorhersage jedes Blocks für seine Beispiele wird mit der des letzten verglichen.</translation>
    </message>
    <message>
        <source>Accuracy behind every block for %1, with %2.</source>
        <translation>Genauigkeit nach jedem Block für %1, %2.</translation>
    </message>
    <message numerus="yes">
        <source>%1 backend(s)</source>
        <translation>
            <numerusform>%1 Backend</numerusform>
            <numerusform>%1 Backends</numerusform>
        </translation>
    </message>
    <message>
        <source>attnscope-cli exits measures the same; attnscope-cli train --exits trains a head for each block, without which exits say little.</source>
        <translation>attnscope-cli exits misst dasselbe; attnscope-cli train --exits trainiert einen Kopf für jeden Block, ohne den Exits wenig aussagen.</translation>
    </message>
    <message>
        <source>Measuring early exits</source>
        <translation>Early Exits werden gemessen</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>Early Exits</translation>
    </message>
    <message>
        <source>Accuracy behind each block, and what samples that leave early save</source>
        <translation>Genauigkeit nach jedem Block und was Beispiele sparen, die früh aussteigen</translation>
    </message>
    <message>
        <source>confidence</source>
        <translation>Konfidenz</translation>
    </message>
    <message>
        <source>fixed depth</source>
        <translation>feste Tiefe</translation>
    </message>
    <message>
        <source>correctness oracle</source>
        <translation>Korrektheits-Orakel</translation>
    </message>
    <message>
        <source>likelihood oracle</source>
        <translation>Likelihood-Orakel</translation>
    </message>
    <message>
        <source>Charts as SVG, PNG or PDF, the table as CSV or TSV</source>
        <translation>Diagramme als SVG, PNG oder PDF, die Tabelle als CSV oder TSV</translation>
    </message>
    <message>
        <source>Choose a folder…</source>
        <translation>Ordner wählen…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ExportDialog</name>
    <message>
        <source>Export network</source>
        <translation>Netz exportieren</translation>
    </message>
    <message>
        <source>Writes %1 as an ONNX file that ONNX Runtime and OpenVINO run: preprocessed images in, predictions or features out, any batch size.</source>
        <translation>Schreibt %1 als ONNX-Datei, die ONNX Runtime und OpenVINO ausführen: vorverarbeitete Bilder hinein, Vorhersagen oder Merkmale heraus, bei beliebiger Batchgröße.</translation>
    </message>
    <message>
        <source>Attention of the exported network</source>
        <translation>Attention des exportierten Netzes</translation>
    </message>
    <message>
        <source>&amp;Attention</source>
        <translation>&amp;Attention</translation>
    </message>
    <message>
        <source>ONNX file to write</source>
        <translation>ONNX-Datei, die geschrieben wird</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>Aus&amp;wählen…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Attentions that draw anew for every image, such as RA, cannot be exported; the message then names the nearest that can.</source>
        <translation>Attentions, die für jedes Bild neu ziehen, wie RA, lassen sich nicht exportieren; die Meldung nennt dann die nächstliegende, bei der es geht.</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>ONNX (*.onnx)</source>
        <translation>ONNX (*.onnx)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FeaturesPanel</name>
    <message>
        <source>Principal components of the patches</source>
        <translation>Hauptkomponenten der Patches</translation>
    </message>
    <message>
        <source>Cosine of</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Drift by layer</source>
        <translation>Drift nach Schicht</translation>
    </message>
    <message>
        <source>Tokens whose drift is shown</source>
        <translation>Token, deren Drift gezeigt wird</translation>
    </message>
    <message>
        <source>patches, behind each block</source>
        <translation>Patches, nach jedem Block</translation>
    </message>
    <message>
        <source>class token, behind each block</source>
        <translation>Klassen-Token, nach jedem Block</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>exact for %1</source>
        <translation>exakt für %1</translation>
    </message>
    <message>
        <source>%1: cosine %2</source>
        <translation>%1: Kosinus %2</translation>
    </message>
    <message>
        <source>The patches of this network are not known</source>
        <translation>Die Patches dieses Netzes sind nicht bekannt</translation>
    </message>
    <message>
        <source>Images of the patches appear here</source>
        <translation>Hier erscheinen Bilder der Patches</translation>
    </message>
    <message>
        <source>patches in exact attention&apos;s components (%1 of variance)</source>
        <translation>Patches in den Komponenten exakter Attention (%1 der Varianz)</translation>
    </message>
    <message>
        <source>cosine with the features of exact attention</source>
        <translation>Kosinus mit den Merkmalen exakter Attention</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Measured with the error</source>
        <translation>Wird mit dem Fehler gemessen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameChooser</name>
    <message>
        <source>Frame whose patches are shown</source>
        <translation>Frame, dessen Patches gezeigt werden</translation>
    </message>
    <message>
        <source>frame %1 of %2</source>
        <translation>Frame %1 von %2</translation>
    </message>
    <message>
        <source>, %1 % of the attention weight</source>
        <translation>, %1 % des Attention-Gewichts</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::FrameStrip</name>
    <message>
        <source>Frames seen by the model</source>
        <translation>Frames, die das Modell sieht</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::GalleryView</name>
    <message>
        <source>Cannot be shown</source>
        <translation>Nicht darstellbar</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HeatTable</name>
    <message>
        <source>Errors by layer and head</source>
        <translation>Fehler nach Schicht und Kopf</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpBrowser</name>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::HelpWindow</name>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>%1 – Manual</source>
        <translation>%1 – Handbuch</translation>
    </message>
    <message>
        <source>%1 is only in the source code</source>
        <translation>%1 gibt es nur im Quelltext</translation>
    </message>
    <message>
        <source>No browser opens %1</source>
        <translation>Kein Browser öffnet %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Find in this page</source>
        <translation>Auf dieser Seite suchen</translation>
    </message>
    <message>
        <source>%1 is missing; install Attnscope again</source>
        <translation>%1 fehlt; installieren Sie Attnscope neu</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::InstrumentTab</name>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation>Wartet auf die laufende Messung oder Auswertung</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>Stoppt nach diesem Schritt</translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a measurement first.</source>
        <translation>Es gibt noch nichts zu exportieren; führen Sie zuerst eine Messung aus.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::JobsBar</name>
    <message>
        <source>Stop this job</source>
        <translation>Diesen Job stoppen</translation>
    </message>
    <message>
        <source>Pause this job</source>
        <translation>Diesen Job pausieren</translation>
    </message>
    <message>
        <source>Running job</source>
        <translation>Laufender Job</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::KernelTab</name>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Number of random features of every map</source>
        <translation>Anzahl der Zufallsmerkmale jeder Abbildung</translation>
    </message>
    <message>
        <source>Angle between x and y</source>
        <translation>Winkel zwischen x und y</translation>
    </message>
    <message>
        <source>How y lies to x, of equal length</source>
        <translation>Wie y zu x liegt, bei gleicher Länge</translation>
    </message>
    <message>
        <source>exp(x·y) and its estimates ± std. dev.</source>
        <translation>exp(x·y) und seine Schätzungen ± Std.-Abw.</translation>
    </message>
    <message>
        <source>Std. dev. relative to exp(x·y)</source>
        <translation>Std.-Abw. relativ zu exp(x·y)</translation>
    </message>
    <message>
        <source>Lines: in closed form, for this angle. Single marks: measured heads</source>
        <translation>Linien: in geschlossener Form, für diesen Winkel. Einzelne Punkte: gemessene Köpfe</translation>
    </message>
    <message>
        <source>Measured heads</source>
        <translation>Gemessene Köpfe</translation>
    </message>
    <message>
        <source>Estimates</source>
        <translation>Schätzungen</translation>
    </message>
    <message>
        <source>How well do random features estimate exp(q·k)?</source>
        <translation>Wie gut schätzen Zufallsmerkmale exp(q·k)?</translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q and k.</source>
        <translation>Öffnen Sie im Vergleich ein Bild oder eine Datei mit q und k.</translation>
    </message>
    <message numerus="yes">
        <source>Positive, hyperbolic, trigonometric and cosine maps with %1 feature(s)</source>
        <translation>
            <numerusform>Positive, hyperbolische, trigonometrische und Kosinus-Abbildungen mit %1 Merkmal</numerusform>
            <numerusform>Positive, hyperbolische, trigonometrische und Kosinus-Abbildungen mit %1 Merkmalen</numerusform>
        </translation>
    </message>
    <message>
        <source>Exact values, estimates and their variance against the norm of q and k, before any normaliser.</source>
        <translation>Exakte Werte, Schätzungen und ihre Varianz über der Norm von q und k, vor jeder Normierung.</translation>
    </message>
    <message>
        <source>Estimating the kernel %1</source>
        <translation>Schätzung des Kernels %1</translation>
    </message>
    <message>
        <source>Random features vs. norm</source>
        <translation>Zufallsmerkmale über der Norm</translation>
    </message>
    <message>
        <source>Variances are exact, in closed form; estimates are one draw with the seed above.</source>
        <translation>Varianzen sind exakt, in geschlossener Form; Schätzungen sind eine Ziehung mit dem Seed oben.</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>exp(x·y)</source>
        <translation>exp(x·y)</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>q, k, v öffnen…</translation>
    </message>
    <message>
        <source>trigonometric</source>
        <translation>trigonometrisch</translation>
    </message>
    <message>
        <source>positive</source>
        <translation>positiv</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerCells</name>
    <message>
        <source>none</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>%1, mean over heads</source>
        <translation>%1, Mittel über Köpfe</translation>
    </message>
    <message>
        <source>%1, head %2</source>
        <translation>%1, Kopf %2</translation>
    </message>
    <message>
        <source>%1, %2 %3</source>
        <translation>%1, %2 %3</translation>
    </message>
    <message>
        <source>%1, replacing this layer alone changes the prediction</source>
        <translation>%1, das Ersetzen allein dieser Schicht ändert die Vorhersage</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>Kopf 0</translation>
    </message>
    <message>
        <source>%1, worse than the mean of the values (relative error %2), which ignores the query</source>
        <translation>%1, schlechter als das Mittel der Values (relativer Fehler %2), der die Query nicht beachtet</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDepth</name>
    <message>
        <source>Error by depth</source>
        <translation>Fehler nach Tiefe</translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone, KL</source>
        <translation>Wirkung, wenn nur eine Schicht ersetzt wird, KL</translation>
    </message>
    <message>
        <source>Effect of replacing each layer alone</source>
        <translation>Wirkung, wenn nur eine Schicht ersetzt wird</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>noch keine Daten</translation>
    </message>
    <message>
        <source>Relative drift of block outputs</source>
        <translation>Relative Drift der Blockausgaben</translation>
    </message>
    <message>
        <source>Relative error, mean over heads</source>
        <translation>Relativer Fehler, Mittel über Köpfe</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerDetails</name>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Maps</source>
        <translation>Karten</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Rollout</source>
        <translation>Rollout</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Terme</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Exact attention map</source>
        <translation>Exakte Attention-Karte</translation>
    </message>
    <message>
        <source>Approximate attention map</source>
        <translation>Approximierte Attention-Karte</translation>
    </message>
    <message>
        <source>Difference of attention maps</source>
        <translation>Differenz der Attention-Karten</translation>
    </message>
    <message>
        <source>Query class token</source>
        <translation>Query Klassen-Token</translation>
    </message>
    <message>
        <source>Show the maps of the class token</source>
        <translation>Karten des Klassen-Tokens zeigen</translation>
    </message>
    <message>
        <source>landmarks</source>
        <translation>Landmarks</translation>
    </message>
    <message>
        <source>Show landmarks</source>
        <translation>Landmarks zeigen</translation>
    </message>
    <message>
        <source>opacity</source>
        <translation>Deckkraft</translation>
    </message>
    <message>
        <source>Opacity of the maps</source>
        <translation>Deckkraft der Karten</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>Class token</source>
        <translation>Klassen-Token</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>Kopf %1</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Alle Schichten</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>Nach Tiefe</translation>
    </message>
    <message>
        <source>Logits of layer 0, %1</source>
        <translation>Logits der Schicht 0, %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>Attention rollout needs the same tokens in every layer, which this network does not have.</source>
        <translation>Attention-Rollout braucht in jeder Schicht dieselben Token, was bei diesem Netz nicht der Fall ist.</translation>
    </message>
    <message>
        <source>%1 leaves no keys out here: every query sees all of them.</source>
        <translation>%1 lässt hier keine Keys aus: Jede Query sieht alle.</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Berechnung…</translation>
    </message>
    <message>
        <source>The keys of this layer have no position in the image.</source>
        <translation>Die Keys dieser Schicht haben keine Position im Bild.</translation>
    </message>
    <message>
        <source>difference, and %1</source>
        <translation>Differenz, und %1</translation>
    </message>
    <message>
        <source>landmarks %1×%1</source>
        <translation>Landmarks %1×%1</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>Kopf 0</translation>
    </message>
    <message>
        <source>largest contribution from %1: %2</source>
        <translation>größter Beitrag von %1: %2</translation>
    </message>
    <message>
        <source>%1 of %2 tokens are left behind this layer; outlines show patches that are one token</source>
        <translation>%1 von %2 Token sind nach dieser Schicht übrig; Umrisse zeigen Patches, die ein Token sind</translation>
    </message>
    <message>
        <source>with the exact pass&apos;s q, k, v</source>
        <translation>mit q, k, v des exakten Durchlaufs</translation>
    </message>
    <message>
        <source>weight on the class token: exact %1, %2 %3</source>
        <translation>Gewicht auf dem Klassen-Token: exakt %1, %2 %3</translation>
    </message>
    <message>
        <source>First map of tokens</source>
        <translation>Erste Karte von Token</translation>
    </message>
    <message>
        <source>Second map of tokens</source>
        <translation>Zweite Karte von Token</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source> (class token: %1)</source>
        <translation> (Klassen-Token: %1)</translation>
    </message>
    <message>
        <source>sees no key, and uses all</source>
        <translation>sieht keinen Key und nutzt alle</translation>
    </message>
    <message>
        <source>sees %1 of %2 keys, with %3 of exact attention&apos;s weight</source>
        <translation>sieht %1 von %2 Keys, mit %3 des Gewichts exakter Attention</translation>
    </message>
    <message>
        <source>the class token is seen</source>
        <translation>das Klassen-Token wird gesehen</translation>
    </message>
    <message>
        <source>the class token is not seen</source>
        <translation>das Klassen-Token wird nicht gesehen</translation>
    </message>
    <message>
        <source>mean over heads</source>
        <translation>Mittel über Köpfe</translation>
    </message>
    <message>
        <source>%1 of all pairs are seen</source>
        <translation>%1 aller Paare werden gesehen</translation>
    </message>
    <message>
        <source>mass kept %1 on average</source>
        <translation>erhaltene Masse im Mittel %1</translation>
    </message>
    <message>
        <source>%1 of queries saw no key and used all</source>
        <translation>%1 der Queries sahen keinen Key und nutzten alle</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayerTerms</name>
    <message>
        <source>content–content</source>
        <translation>Inhalt–Inhalt</translation>
    </message>
    <message>
        <source>content–position</source>
        <translation>Inhalt–Position</translation>
    </message>
    <message>
        <source>position–content</source>
        <translation>Position–Inhalt</translation>
    </message>
    <message>
        <source>position–position</source>
        <translation>Position–Position</translation>
    </message>
    <message>
        <source>global–content</source>
        <translation>global–Inhalt</translation>
    </message>
    <message>
        <source>global–position</source>
        <translation>global–Position</translation>
    </message>
    <message>
        <source>Term of the logits: %1</source>
        <translation>Term der Logits: %1</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Berechnung…</translation>
    </message>
    <message>
        <source>These tokens have no position in the image.</source>
        <translation>Diese Token haben keine Position im Bild.</translation>
    </message>
    <message>
        <source>logit</source>
        <translation>Logit</translation>
    </message>
    <message>
        <source>%1  %2</source>
        <translation>%1  %2</translation>
    </message>
    <message>
        <source>logit minus its mean over keys</source>
        <translation>Logit minus sein Mittel über Keys</translation>
    </message>
    <message>
        <source>head 0</source>
        <translation>Kopf 0</translation>
    </message>
    <message>
        <source>First the query&apos;s part, then the key&apos;s; global: of all queries alike. The numbers are fractions of what softmax sees of this head&apos;s logits, and add up to 1.</source>
        <translation>Zuerst der Anteil der Query, dann der des Keys; global: für alle Queries gleich. Die Zahlen sind Anteile dessen, was softmax von den Logits dieses Kopfes sieht, und ergeben zusammen 1.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersPage</name>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Figures as PNG, SVG or CSV, maps as tensors</source>
        <translation>Abbildungen als PNG, SVG oder CSV, Karten als Tensoren</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>Modus</translation>
    </message>
    <message>
        <source>Same q, k, v as softmax</source>
        <translation>q, k, v wie bei softmax</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>Ende-zu-Ende</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation>Anzahl der Seeds für zufällige Attention</translation>
    </message>
    <message>
        <source>Errors are averaged over this many seeds; bias² and variance need more than one</source>
        <translation>Fehler werden über so viele Seeds gemittelt; Bias² und Varianz brauchen mehr als einen</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Displayed backend</source>
        <translation>Angezeigtes Backend</translation>
    </message>
    <message>
        <source>Tensors only: no model is run, so there are no end-to-end results</source>
        <translation>Nur Tensoren: Es läuft kein Modell, daher gibt es keine Ende-zu-Ende-Ergebnisse</translation>
    </message>
    <message>
        <source>Maps saved to %1.</source>
        <translation>Karten in %1 gespeichert.</translation>
    </message>
    <message>
        <source>%1, log</source>
        <translation>%1, log</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>Berechnung…</translation>
    </message>
    <message>
        <source>Drop an image or a video</source>
        <translation>Bild oder Video ablegen</translation>
    </message>
    <message>
        <source>Inspects %1 with the selected backends</source>
        <translation>Untersucht %1 mit den ausgewählten Backends</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>Inspect the layers</source>
        <translation>Schichten untersuchen</translation>
    </message>
    <message>
        <source>Inspect the layers with this input</source>
        <translation>Schichten mit dieser Eingabe untersuchen</translation>
    </message>
    <message>
        <source>Error map…</source>
        <translation>Fehlerkarte…</translation>
    </message>
    <message>
        <source>Drift by depth…</source>
        <translation>Drift nach Tiefe…</translation>
    </message>
    <message>
        <source>Exact map…</source>
        <translation>Exakte Karte…</translation>
    </message>
    <message>
        <source>Implied map…</source>
        <translation>Implizite Karte…</translation>
    </message>
    <message>
        <source>Difference…</source>
        <translation>Differenz…</translation>
    </message>
    <message>
        <source>Keys seen…</source>
        <translation>Gesehene Keys…</translation>
    </message>
    <message>
        <source>Mass kept…</source>
        <translation>Erhaltene Masse…</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Terms of the logits…</source>
        <translation>Terme der Logits…</translation>
    </message>
    <message>
        <source>All maps as tensors…</source>
        <translation>Alle Karten als Tensoren…</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors)</source>
        <translation>Tensoren (*.safetensors)</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf);;CSV (*.csv)</source>
        <translation>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>There is nothing to export yet.</source>
        <translation>Es gibt noch nichts zu exportieren.</translation>
    </message>
    <message>
        <source>There are no terms yet; show them first.</source>
        <translation>Es gibt noch keine Terme; zeigen Sie sie zuerst an.</translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation>Es gibt noch keine Karten; warten Sie, bis sie berechnet sind.</translation>
    </message>
    <message>
        <source>Corner: worse than the mean of the values. Arrow keys move between cells, Enter opens the maps</source>
        <translation>Ecke: schlechter als das Mittel der Values. Pfeiltasten wechseln die Zelle, die Eingabetaste öffnet die Karten</translation>
    </message>
    <message>
        <source>Two networks</source>
        <translation>Zwei Netze</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LayersSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation>wartet auf den Schritt eines anderen Jobs</translation>
    </message>
    <message>
        <source>Open an image or a video first.</source>
        <translation>Öffnen Sie zuerst ein Bild oder ein Video.</translation>
    </message>
    <message>
        <source>Select a backend other than softmax; softmax is the reference that the others are compared with.</source>
        <translation>Wählen Sie ein anderes Backend als softmax; softmax ist die Referenz, mit der die anderen verglichen werden.</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>There are no maps yet; wait until they have been computed.</source>
        <translation>Es gibt noch keine Karten; warten Sie, bis sie berechnet sind.</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>mit %1 erstellt</translation>
    </message>
    <message>
        <source>made with seed %1</source>
        <translation>mit Seed %1 erstellt</translation>
    </message>
    <message>
        <source>Inspecting the layers</source>
        <translation>Schichten werden untersucht</translation>
    </message>
    <message>
        <source>A file of q, k and v has no position embeddings.</source>
        <translation>Eine Datei mit q, k und v hat keine Positions-Embeddings.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardSession</name>
    <message>
        <source>waiting for another job&apos;s step</source>
        <translation>wartet auf den Schritt eines anderen Jobs</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>leaderboard</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>%1 of %2 attentions measured</source>
        <translation>%1 von %2 Attentions gemessen</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>mit %1 erstellt</translation>
    </message>
    <message>
        <source>Measuring the leaderboard</source>
        <translation>Rangliste wird gemessen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LeaderboardTab</name>
    <message>
        <source>What could replace softmax here?</source>
        <translation>Was könnte softmax hier ersetzen?</translation>
    </message>
    <message>
        <source>Measuring every attention that needs no training</source>
        <translation>Jede Attention, die ohne Training auskommt, wird gemessen</translation>
    </message>
    <message>
        <source>Rows appear as they are measured.</source>
        <translation>Zeilen erscheinen, sobald sie gemessen sind.</translation>
    </message>
    <message>
        <source>The chart as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON</source>
        <translation>Das Diagramm als SVG, PNG oder PDF, die Tabelle als CSV oder TSV, alles als JSON</translation>
    </message>
    <message>
        <source>Number of seeds for random attention</source>
        <translation>Anzahl der Seeds für zufällige Attention</translation>
    </message>
    <message>
        <source>Errors of random attentions are averaged over this many seeds</source>
        <translation>Fehler zufälliger Attentions werden über so viele Seeds gemittelt</translation>
    </message>
    <message>
        <source>Error against cost</source>
        <translation>Fehler gegen Kosten</translation>
    </message>
    <message>
        <source>Attentions appear as they are measured</source>
        <translation>Attentions erscheinen, sobald sie gemessen sind</translation>
    </message>
    <message>
        <source>Best at equal: no other attention has both a smaller error and less time, or less memory</source>
        <translation>Beste bei: Keine andere Attention hat sowohl einen kleineren Fehler als auch weniger Zeit oder weniger Speicher</translation>
    </message>
    <message>
        <source>Adds the chosen attention to the Backends and selects it</source>
        <translation>Fügt die gewählte Attention zu den Backends hinzu und wählt sie aus</translation>
    </message>
    <message>
        <source>Leaderboard</source>
        <translation>Rangliste</translation>
    </message>
    <message>
        <source>Drop an image, a video or a file of q, k and v</source>
        <translation>Bild, Video oder Datei mit q, k und v ablegen</translation>
    </message>
    <message>
        <source>Every attention that needs no training, at several sizes: error, time and memory next to each other.</source>
        <translation>Jede Attention, die ohne Training auskommt, in mehreren Größen: Fehler, Zeit und Speicher nebeneinander.</translation>
    </message>
    <message>
        <source>Measured on %1 in about a minute; rows appear as they come</source>
        <translation>Auf %1 in etwa einer Minute gemessen; Zeilen erscheinen nach und nach</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>End to end</source>
        <translation>Ende-zu-Ende</translation>
    </message>
    <message>
        <source>Same q, k, v</source>
        <translation>Gleiche q, k, v</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>Compare this one</source>
        <translation>Diese vergleichen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LegendRow</name>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LengthTab</name>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Whole range</source>
        <translation>Ganzer Bereich</translation>
    </message>
    <message>
        <source>LARA paper, table 6</source>
        <translation>LARA-Paper, Tabelle 6</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>Längen</translation>
    </message>
    <message>
        <source>Sequence lengths in tokens</source>
        <translation>Sequenzlängen in Token</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Dim</source>
        <translation>Dim</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>Köpfe</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Set of lengths</source>
        <translation>Satz von Längen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Forward + backward</source>
        <translation>Vorwärts + rückwärts</translation>
    </message>
    <message>
        <source>Must divide the embedding dimension</source>
        <translation>Muss die Embedding-Dimension teilen</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>Absolut</translation>
    </message>
    <message>
        <source>Relative to softmax</source>
        <translation>Relativ zu softmax</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Publiziert</translation>
    </message>
    <message>
        <source>Hollow markers: ratios from the LARA paper, table 6, 16 landmarks or samples; never connected to our own</source>
        <translation>Hohle Markierungen: Verhältnisse aus dem LARA-Paper, Tabelle 6, 16 Landmarks oder Stichproben; nie mit unseren verbunden</translation>
    </message>
    <message>
        <source>Whole encoder</source>
        <translation>Ganzer Encoder</translation>
    </message>
    <message>
        <source>Attention only</source>
        <translation>Nur Attention</translation>
    </message>
    <message>
        <source>Points appear as they are measured</source>
        <translation>Punkte erscheinen, sobald sie gemessen sind</translation>
    </message>
    <message>
        <source>Scaling and break-even</source>
        <translation>Skalierung und Break-even</translation>
    </message>
    <message>
        <source>All values</source>
        <translation>Alle Werte</translation>
    </message>
    <message>
        <source>The embedding dimension %2 is not divisible by %1 heads; choose a multiple of the number of heads.</source>
        <translation>Die Embedding-Dimension %2 ist nicht durch %1 Köpfe teilbar; wählen Sie ein Vielfaches der Kopfzahl.</translation>
    </message>
    <message>
        <source>Numbers of tokens in ascending order, separated by commas</source>
        <translation>Tokenzahlen in aufsteigender Reihenfolge, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>What does attention cost as sequences get longer?</source>
        <translation>Was kostet Attention, wenn Sequenzen länger werden?</translation>
    </message>
    <message>
        <source>Time and memory of %1, %2 from %3 to %4 tokens: %5.</source>
        <translation>Zeit und Speicher von %1, %2 von %3 bis %4 Token: %5.</translation>
    </message>
    <message>
        <source>explicit and fused softmax</source>
        <translation>explizitem und fusioniertem softmax</translation>
    </message>
    <message>
        <source>%1 alongside softmax</source>
        <translation>%1 neben softmax</translation>
    </message>
    <message numerus="yes">
        <source>%1 length(s)</source>
        <translation>
            <numerusform>%1 Länge</numerusform>
            <numerusform>%1 Längen</numerusform>
        </translation>
    </message>
    <message>
        <source>Uses an encoder with random weights, so neither an image nor a checkpoint is needed, and runs the backends selected under Backends.</source>
        <translation>Verwendet einen Encoder mit zufälligen Gewichten, braucht also weder Bild noch Checkpoint, und führt die unter „Backends“ ausgewählten Backends aus.</translation>
    </message>
    <message>
        <source>Skipped: %1, which needs a network with spatial reduction.</source>
        <translation>Ausgelassen: %1; dafür ist ein Netz mit räumlicher Reduktion nötig.</translation>
    </message>
    <message>
        <source>Time and memory vs. number of tokens</source>
        <translation>Zeit und Speicher über der Tokenzahl</translation>
    </message>
    <message>
        <source>Measuring the first length</source>
        <translation>Die erste Länge wird gemessen</translation>
    </message>
    <message>
        <source>Backends are timed in random order; time inside attention is reported next to the total.</source>
        <translation>Backends werden in zufälliger Reihenfolge gemessen; die Zeit in der Attention wird neben der Gesamtzeit angegeben.</translation>
    </message>
    <message>
        <source>Whole encoder, peak</source>
        <translation>Ganzer Encoder, Spitze</translation>
    </message>
    <message>
        <source>Attention only, one layer</source>
        <translation>Nur Attention, eine Schicht</translation>
    </message>
    <message>
        <source>Attention only, all layers, forward</source>
        <translation>Nur Attention, alle Schichten, vorwärts</translation>
    </message>
    <message>
        <source>Attention only, all layers</source>
        <translation>Nur Attention, alle Schichten</translation>
    </message>
    <message>
        <source>relative to explicit softmax at the same length; hollow: published, 16 samples</source>
        <translation>relativ zu explizitem softmax bei gleicher Länge; hohl: publiziert, 16 Stichproben</translation>
    </message>
    <message>
        <source>medians; bands: 5th to 95th percentile; ✕: stopped</source>
        <translation>Mediane; Bänder: 5. bis 95. Perzentil; ✕: gestoppt</translation>
    </message>
    <message>
        <source>tensor memory above the level before the pass; ✕: stopped</source>
        <translation>Tensorspeicher über dem Stand vor dem Durchlauf; ✕: gestoppt</translation>
    </message>
    <message>
        <source>Open network</source>
        <translation>Geöffnetes Netz</translation>
    </message>
    <message>
        <source>Layers, width and heads of the open network, from its own number of tokens on</source>
        <translation>Schichten, Breite und Köpfe des geöffneten Netzes, ab seiner eigenen Zahl von Token</translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax, explizit</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveImage</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>camera on</source>
        <translation>Kamera an</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LivePage</name>
    <message>
        <source>Record CSV</source>
        <translation>CSV aufnehmen</translation>
    </message>
    <message>
        <source>Writes each prediction to a CSV file during playback. No frames are stored.</source>
        <translation>Schreibt während der Wiedergabe jede Vorhersage in eine CSV-Datei. Frames werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>The timelines as CSV, or the whole run as JSON</source>
        <translation>Die Zeitleisten als CSV oder der ganze Lauf als JSON</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the current clip</source>
        <translation>Der Befehl von attnscope-cli für den aktuellen Clip</translation>
    </message>
    <message>
        <source>Stop recording</source>
        <translation>Aufnahme stoppen</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>%1 wird geöffnet</translation>
    </message>
    <message>
        <source>sees %1 frames, %2 s</source>
        <translation>sieht %1 Frames, %2 s</translation>
    </message>
    <message>
        <source>image model: sees one frame at a time</source>
        <translation>Bildmodell: sieht jeweils einen Frame</translation>
    </message>
    <message>
        <source>No camera found. Connect one, or open a video.</source>
        <translation>Keine Kamera gefunden. Schließen Sie eine an oder öffnen Sie ein Video.</translation>
    </message>
    <message>
        <source>Record predictions</source>
        <translation>Vorhersagen aufnehmen</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Export timelines</source>
        <translation>Zeitleisten exportieren</translation>
    </message>
    <message>
        <source>The whole run as JSON (*.json);;Timelines as CSV (*.csv)</source>
        <translation>Der ganze Lauf als JSON (*.json);;Zeitleisten als CSV (*.csv)</translation>
    </message>
    <message>
        <source>Open a video</source>
        <translation>Video öffnen</translation>
    </message>
    <message>
        <source>;;All files (*)</source>
        <translation>;;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveRowsModel</name>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>One forward pass, median of the last 20 clips, under load from decoding and drawing. Compare measures it without load.</source>
        <translation>Ein Vorwärtsdurchlauf, Median der letzten 20 Clips, unter Last durch Dekodieren und Zeichnen. Der Vergleich misst sie ohne Last.</translation>
    </message>
    <message>
        <source>Clips/s</source>
        <translation>Clips/s</translation>
    </message>
    <message>
        <source>Clips per second that this backend could process on its own: 1 / latency.</source>
        <translation>Clips pro Sekunde, die dieses Backend für sich verarbeiten könnte: 1 / Latenz.</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>Peak tensor memory of the last clip&apos;s forward pass, above the level before it.</source>
        <translation>Spitzenspeicher der Tensoren beim Vorwärtsdurchlauf des letzten Clips, über dem Stand davor.</translation>
    </message>
    <message>
        <source>Agrees</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>Fraction of predicted clips whose top-1 class is the same as the reference&apos;s.</source>
        <translation>Anteil der vorhergesagten Clips mit derselben Top-1-Klasse wie die Referenz.</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 segments, disagrees in %2 places</source>
        <translation>%1 Abschnitte, weicht an %2 Stellen ab</translation>
    </message>
    <message>
        <source>No backend could process this clip</source>
        <translation>Kein Backend konnte diesen Clip verarbeiten</translation>
    </message>
    <message>
        <source>Waiting for the first clip</source>
        <translation>Wartet auf den ersten Clip</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 predicts %2</source>
        <translation>%1 sagt %2 voraus</translation>
    </message>
    <message>
        <source>Both predict %1</source>
        <translation>Beide sagen %1 voraus</translation>
    </message>
    <message>
        <source>All %1 predict %2</source>
        <translation>Alle %1 sagen %2 voraus</translation>
    </message>
    <message>
        <source>%1 and %2 differ</source>
        <translation>%1 und %2 weichen ab</translation>
    </message>
    <message>
        <source>%1 agrees on %2 of %3 clips</source>
        <translation>%1 stimmt bei %2 von %3 Clips überein</translation>
    </message>
    <message>
        <source>Waiting for the next clip</source>
        <translation>Wartet auf den nächsten Clip</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::LiveSession</name>
    <message>
        <source>Saved %1.</source>
        <translation>%1 gespeichert.</translation>
    </message>
    <message>
        <source>Compare is measuring; playback now would distort its results.</source>
        <translation>Der Vergleich misst gerade; eine Wiedergabe würde seine Ergebnisse verfälschen.</translation>
    </message>
    <message>
        <source>The model is loading.</source>
        <translation>Das Modell wird geladen.</translation>
    </message>
    <message>
        <source>Waiting for another job to finish its step.</source>
        <translation>Wartet, bis ein anderer Job seinen Schritt beendet.</translation>
    </message>
    <message>
        <source>No backend is selected.</source>
        <translation>Kein Backend ist ausgewählt.</translation>
    </message>
    <message>
        <source>No further disagreement found so far; the rest has not been played yet.</source>
        <translation>Bisher keine weitere Abweichung gefunden; der Rest wurde noch nicht abgespielt.</translation>
    </message>
    <message numerus="yes">
        <source>%1 prediction(s) recorded in %2.</source>
        <translation>
            <numerusform>%1 Vorhersage in %2 aufgenommen.</numerusform>
            <numerusform>%1 Vorhersagen in %2 aufgenommen.</numerusform>
        </translation>
    </message>
    <message>
        <source>No prediction here: the first clip ends at %1 s</source>
        <translation>Hier keine Vorhersage: der erste Clip endet bei %1 s</translation>
    </message>
    <message>
        <source>Waiting for the clip shown here</source>
        <translation>Wartet auf den hier gezeigten Clip</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MainWindow</name>
    <message>
        <source>Attnscope</source>
        <translation>Attnscope</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read</source>
        <translation>
            <numerusform>%1 Datei konnte nicht gelesen werden</numerusform>
            <numerusform>%1 Dateien konnten nicht gelesen werden</numerusform>
        </translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>About Attnscope</source>
        <translation>Über Attnscope</translation>
    </message>
    <message>
        <source>Attnscope %1</source>
        <translation>Attnscope %1</translation>
    </message>
    <message>
        <source>Stay</source>
        <translation>Bleiben</translation>
    </message>
    <message>
        <source>%1 is no longer there; it was removed from the list.</source>
        <translation>%1 ist nicht mehr da; der Eintrag wurde aus der Liste entfernt.</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>Checkpoint öffnen</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation>Checkpoints (*.safetensors *.pth *.pt *.bin);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open class embeddings</source>
        <translation>Klassen-Embeddings öffnen</translation>
    </message>
    <message>
        <source>Class embeddings (*.safetensors);;All files (*)</source>
        <translation>Klassen-Embeddings (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Modellvorgabe</translation>
    </message>
    <message>
        <source>Image size</source>
        <translation>Bildgröße</translation>
    </message>
    <message>
        <source>Side of a square, or WIDTHxHEIGHT, in pixels:</source>
        <translation>Seite eines Quadrats oder BREITExHÖHE, in Pixeln:</translation>
    </message>
    <message>
        <source>There is no image on the clipboard; copy one, or open a file.</source>
        <translation>In der Zwischenablage ist kein Bild; kopieren Sie eines oder öffnen Sie eine Datei.</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>Auf %1 auswerten</translation>
    </message>
    <message>
        <source>Show the results of this store</source>
        <translation>Diese Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Use as weights, or inspect its q, k, v</source>
        <translation>Als Gewichte verwenden oder q, k, v daraus untersuchen</translation>
    </message>
    <message>
        <source>Use as weights</source>
        <translation>Als Gewichte verwenden</translation>
    </message>
    <message>
        <source>Play this video in Live</source>
        <translation>Dieses Video in „Live“ abspielen</translation>
    </message>
    <message numerus="yes">
        <source>Compare %1 image(s)</source>
        <translation>
            <numerusform>%1 Bild vergleichen</numerusform>
            <numerusform>%1 Bilder vergleichen</numerusform>
        </translation>
    </message>
    <message>
        <source>The dropped image cannot be read; save it to a file and open that file.</source>
        <translation>Das abgelegte Bild kann nicht gelesen werden; speichern Sie es in einer Datei und öffnen Sie diese.</translation>
    </message>
    <message>
        <source>A small demo model that knows only eight camera moves over the demo photographs.</source>
        <translation>Ein kleines Demomodell, das nur acht Kamerabewegungen über die Demofotos kennt.</translation>
    </message>
    <message>
        <source>A small demo model that knows only twelve scenes of the demo photographs.</source>
        <translation>Ein kleines Demomodell, das nur zwölf Szenen der Demofotos kennt.</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Backends</source>
        <translation>Backends</translation>
    </message>
    <message>
        <source>Add another backend</source>
        <translation>Weiteres Backend hinzufügen</translation>
    </message>
    <message>
        <source>Hide backends</source>
        <translation>Backends ausblenden</translation>
    </message>
    <message>
        <source>Show unreadable files</source>
        <translation>Unlesbare Dateien zeigen</translation>
    </message>
    <message>
        <source>Unreadable files</source>
        <translation>Unlesbare Dateien</translation>
    </message>
    <message numerus="yes">
        <source>%1 file(s) could not be read. Such files count as neither correct nor wrong.</source>
        <translation>
            <numerusform>%1 Datei konnte nicht gelesen werden. Solche Dateien zählen weder als richtig noch als falsch.</numerusform>
            <numerusform>%1 Dateien konnten nicht gelesen werden. Solche Dateien zählen weder als richtig noch als falsch.</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Open a checkpoint…</source>
        <translation>Checkpoint öffnen…</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Open a &amp;checkpoint…</source>
        <translation>&amp;Checkpoint öffnen…</translation>
    </message>
    <message>
        <source>Evaluate a &amp;folder…</source>
        <translation>&amp;Ordner auswerten…</translation>
    </message>
    <message>
        <source>Open &amp;store…</source>
        <translation>&amp;Ergebnisse öffnen…</translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation>Demo &amp;ausprobieren</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>E&amp;xportieren…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Copy values</source>
        <translation>&amp;Werte kopieren</translation>
    </message>
    <message>
        <source>Copy values as &amp;Markdown</source>
        <translation>Werte als &amp;Markdown kopieren</translation>
    </message>
    <message>
        <source>Copy as c&amp;ommand</source>
        <translation>Als &amp;Befehl kopieren</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Paste image</source>
        <translation>Bild &amp;einfügen</translation>
    </message>
    <message>
        <source>&amp;Settings…</source>
        <translation>E&amp;instellungen…</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>A&amp;nsicht</translation>
    </message>
    <message>
        <source>Use a c&amp;amera</source>
        <translation>K&amp;amera verwenden</translation>
    </message>
    <message>
        <source>&amp;Backends</source>
        <translation>Ba&amp;ckends</translation>
    </message>
    <message>
        <source>Next c&amp;hart view</source>
        <translation>Nächste &amp;Diagrammansicht</translation>
    </message>
    <message>
        <source>&amp;Light theme</source>
        <translation>&amp;Helles Design</translation>
    </message>
    <message>
        <source>&amp;Dark theme</source>
        <translation>D&amp;unkles Design</translation>
    </message>
    <message>
        <source>Follow the syste&amp;m theme</source>
        <translation>Design des S&amp;ystems</translation>
    </message>
    <message>
        <source>Reset lay&amp;out</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>V&amp;ollbild</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stoppen</translation>
    </message>
    <message>
        <source>&amp;Image size…</source>
        <translation>&amp;Bildgröße…</translation>
    </message>
    <message>
        <source>&amp;Previous input</source>
        <translation>&amp;Vorherige Eingabe</translation>
    </message>
    <message>
        <source>&amp;Next input</source>
        <translation>&amp;Nächste Eingabe</translation>
    </message>
    <message>
        <source>&amp;Tools</source>
        <translation>E&amp;xtras</translation>
    </message>
    <message>
        <source>&amp;Find a command</source>
        <translation>&amp;Befehl suchen</translation>
    </message>
    <message>
        <source>&amp;Doctor</source>
        <translation>&amp;Diagnose</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;This screen</source>
        <translation>&amp;Diese Ansicht</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>&amp;About Attnscope</source>
        <translation>Ü&amp;ber Attnscope</translation>
    </message>
    <message>
        <source>L&amp;ive</source>
        <translation>&amp;Live</translation>
    </message>
    <message>
        <source>Ba&amp;tch</source>
        <translation>&amp;Batch</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation>&amp;Schichten</translation>
    </message>
    <message>
        <source>Scal&amp;e</source>
        <translation>S&amp;kalierung</translation>
    </message>
    <message>
        <source>T&amp;rain</source>
        <translation>&amp;Training</translation>
    </message>
    <message>
        <source>Re&amp;sults</source>
        <translation>&amp;Ergebnisse</translation>
    </message>
    <message>
        <source>k&amp;NN</source>
        <translation>&amp;Nachbarn</translation>
    </message>
    <message>
        <source>Export &amp;network…</source>
        <translation>&amp;Netz exportieren…</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>&amp;Drucken…</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>Wieder&amp;herstellen</translation>
    </message>
    <message>
        <source>&amp;Whole window…</source>
        <translation>&amp;Ganzes Fenster…</translation>
    </message>
    <message>
        <source>PNG (*.png)</source>
        <translation>PNG (*.png)</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)</source>
        <translation>SVG (*.svg);;PNG, 2× (*.png);;PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Attnscope: %1</source>
        <translation>Attnscope: %1</translation>
    </message>
    <message>
        <source>Replace the file?</source>
        <translation>Datei ersetzen?</translation>
    </message>
    <message>
        <source>%1 already exists.</source>
        <translation>%1 existiert bereits.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Exporting to %1…</source>
        <translation>Wird nach %1 exportiert…</translation>
    </message>
    <message>
        <source>%1 was written: %2 with %3, %4 operators, %5.</source>
        <translation>%1 wurde geschrieben: %2 mit %3, %4 Operatoren, %5.</translation>
    </message>
    <message>
        <source>Its weights are in %1, which belongs next to it.</source>
        <translation>Die Gewichte sind in %1; diese Datei gehört daneben.</translation>
    </message>
    <message>
        <source>Load your own attention</source>
        <translation>Eigene Attention laden</translation>
    </message>
    <message>
        <source>TorchScript modules and libraries (*.ts *.pt *.so);;All files (*)</source>
        <translation>TorchScript-Module und Bibliotheken (*.ts *.pt *.so);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Load this attention?</source>
        <translation>Diese Attention laden?</translation>
    </message>
    <message>
        <source>%1 is a program that runs with all your rights; load it only if you trust whoever made it. Attnscope starts again with it.</source>
        <translation>%1 ist ein Programm, das mit allen Ihren Rechten läuft; laden Sie es nur, wenn Sie seinem Urheber vertrauen. Attnscope startet damit neu.</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>%1 cannot be started (%2); install Attnscope again.</source>
        <translation>%1 kann nicht gestartet werden (%2); installieren Sie Attnscope neu.</translation>
    </message>
    <message>
        <source>Load your own &amp;attention…</source>
        <translation>Eigene &amp;Attention laden…</translation>
    </message>
    <message>
        <source>Save i&amp;mage</source>
        <translation>Bild s&amp;peichern</translation>
    </message>
    <message>
        <source>Save image</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>The printer could not be opened; choose another one, or save an image.</source>
        <translation>Der Drucker konnte nicht geöffnet werden; wählen Sie einen anderen, oder speichern Sie ein Bild.</translation>
    </message>
    <message>
        <source>The results of %1 were not restored: %2</source>
        <translation>Die Ergebnisse von %1 wurden nicht wiederhergestellt: %2</translation>
    </message>
    <message>
        <source>Memory of this computer: %1 of %2 in use</source>
        <translation>Speicher dieses Rechners: %1 von %2 belegt</translation>
    </message>
    <message>
        <source>Memory of the GPU: %1 of %2 in use</source>
        <translation>Speicher der GPU: %1 von %2 belegt</translation>
    </message>
    <message>
        <source>Find a backend</source>
        <translation>Backend finden</translation>
    </message>
    <message>
        <source>Try the demo with 197 &amp;tokens</source>
        <translation>Demo mit 197 &amp;Token ausprobieren</translation>
    </message>
    <message>
        <source>as ONNX, for ONNX Runtime and OpenVINO</source>
        <translation>als ONNX, für ONNX Runtime und OpenVINO</translation>
    </message>
    <message>
        <source>Compare at 1&#x202f;028 tokens</source>
        <translation>Mit 1028 Token vergleichen</translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1: kann nicht geschrieben werden; wählen Sie einen beschreibbaren Ordner.</translation>
    </message>
    <message>
        <source>What efficient attention saves in a vision transformer, and what it costs.

Licence: Apache-2.0.</source>
        <translation>Was effiziente Attention in einem Vision-Transformer spart und was sie kostet.

Lizenz: Apache-2.0.</translation>
    </message>
    <message>
        <source>Replace instead</source>
        <translation>Stattdessen ersetzen</translation>
    </message>
    <message>
        <source>This screen runs %1 alone: backends in other networks, or in a dtype of their own, are left out.</source>
        <translation>Diese Ansicht lässt nur %1 laufen: Backends in anderen Netzen oder mit eigenem dtype entfallen.</translation>
    </message>
    <message>
        <source>Archive or list to evaluate</source>
        <translation>Auszuwertendes Archiv oder Liste</translation>
    </message>
    <message>
        <source>Archives, tables and lists of images (*.tar *.tar.gz *.tgz *.zip *.parquet *.txt *.csv *.tsv *.json);;All files (*)</source>
        <translation>Archive, Tabellen und Listen von Bildern (*.tar *.tar.gz *.tgz *.zip *.parquet *.txt *.csv *.tsv *.json);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Evaluate an &amp;archive…</source>
        <translation>Ein Archi&amp;v auswerten…</translation>
    </message>
    <message>
        <source>&amp;GPUs…</source>
        <translation>&amp;GPUs…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MapView</name>
    <message>
        <source>; %1 tokens stand for several patches</source>
        <translation>; %1 Token stehen für mehrere Patches</translation>
    </message>
    <message>
        <source>query at row %1, column %2; </source>
        <translation>Query in Zeile %1, Spalte %2; </translation>
    </message>
    <message>
        <source>%1 of %2 patches are seen</source>
        <translation>%1 von %2 Patches werden gesehen</translation>
    </message>
    <message>
        <source>no query saw a key, and each used all</source>
        <translation>keine Query sah einen Key, und jede nutzte alle</translation>
    </message>
    <message>
        <source>smallest mass %1 at row %2, column %3</source>
        <translation>kleinste Masse %1 in Zeile %2, Spalte %3</translation>
    </message>
    <message>
        <source>largest weight %1 at row %2, column %3</source>
        <translation>größtes Gewicht %1 in Zeile %2, Spalte %3</translation>
    </message>
    <message>
        <source>no patch has a number here</source>
        <translation>kein Patch hat hier eine Zahl</translation>
    </message>
    <message>
        <source>%1 patches in %2 classes</source>
        <translation>%1 Patches in %2 Klassen</translation>
    </message>
    <message>
        <source>%1 of %2 patches have a number; the largest is %3 at row %4, column %5</source>
        <translation>%1 von %2 Patches haben eine Zahl; die größte ist %3 in Zeile %4, Spalte %5</translation>
    </message>
    <message>
        <source>none</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <source>saw no key and used all</source>
        <translation>sah keinen Key und nutzte alle</translation>
    </message>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>row %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MeasurementDelegate</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>Fewer</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>untrained, class names hidden</source>
        <translation>untrainiert, Klassennamen verborgen</translation>
    </message>
    <message>
        <source>%1 · ≠ differs</source>
        <translation>%1 · ≠ anders</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismList</name>
    <message>
        <source>the cache is measured in any case; name another mechanism</source>
        <translation>Der Cache wird ohnehin gemessen; nennen Sie einen anderen Mechanismus</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismRow</name>
    <message>
        <source>Options of %1</source>
        <translation>Optionen von %1</translation>
    </message>
    <message>
        <source>Add another</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add another %1</source>
        <translation>Weiteres %1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>%1
%2: %3
%4</source>
        <translation>%1
%2: %3
%4</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MechanismsPanel</name>
    <message>
        <source>Mechanisms</source>
        <translation>Mechanismen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MergedPanel</name>
    <message>
        <source>Behind</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Patches that have become one token</source>
        <translation>Patches, die zu einem Token geworden sind</translation>
    </message>
    <message>
        <source>Block behind which tokens are shown</source>
        <translation>Block, nach dem Token gezeigt werden</translation>
    </message>
    <message>
        <source>block %1</source>
        <translation>Block %1</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 von %2 Token</translation>
    </message>
    <message>
        <source>%1: %2 behind block %3</source>
        <translation>%1: %2 nach Block %3</translation>
    </message>
    <message>
        <source>No tokens merge</source>
        <translation>Kein Token verschmilzt</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageBar</name>
    <message>
        <source>Close message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::MessageStack</name>
    <message>
        <source>fold</source>
        <translation>falten</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>These weights are random (untrained); costs are meaningful, predictions are not.</source>
        <translation>Diese Gewichte sind zufällig (untrainiert); Kosten sind aussagekräftig, Vorhersagen sind es nicht.</translation>
    </message>
    <message>
        <source>Open a checkpoint</source>
        <translation>Checkpoint öffnen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighbourView</name>
    <message>
        <source>The image</source>
        <translation>Das Bild</translation>
    </message>
    <message>
        <source>The image %1</source>
        <translation>Das Bild %1</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>Nachbarn</translation>
    </message>
    <message>
        <source>How many neighbours are shown and mixed with the model&apos;s prediction</source>
        <translation>Wie viele Nachbarn gezeigt und mit der Vorhersage des Modells gemischt werden</translation>
    </message>
    <message>
        <source>Weight of the neighbours</source>
        <translation>Gewicht der Nachbarn</translation>
    </message>
    <message>
        <source>λ, the weight of the neighbours: 0 is the model alone, 1 the neighbours alone</source>
        <translation>λ, das Gewicht der Nachbarn: 0 ist das Modell allein, 1 sind die Nachbarn allein</translation>
    </message>
    <message>
        <source>Predictions for the image</source>
        <translation>Vorhersagen für das Bild</translation>
    </message>
    <message>
        <source>Neighbours, nearest first</source>
        <translation>Nachbarn, die nächsten zuerst</translation>
    </message>
    <message>
        <source>Neighbours of an image</source>
        <translation>Nachbarn eines Bildes</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Choose a sample, or drop an image here.</source>
        <translation>Wählen Sie ein Beispiel oder legen Sie hier ein Bild ab.</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche…</translation>
    </message>
    <message>
        <source>Its neighbours are looked for once the datastore is there.</source>
        <translation>Seine Nachbarn werden gesucht, sobald der Datastore da ist.</translation>
    </message>
    <message>
        <source>Its neighbours were not found.</source>
        <translation>Seine Nachbarn wurden nicht gefunden.</translation>
    </message>
    <message>
        <source>Nearest first, with cosine similarity; below: file and weight.</source>
        <translation>Die nächsten zuerst, mit Kosinus-Ähnlichkeit; darunter: Datei und Gewicht.</translation>
    </message>
    <message>
        <source>Nearest first, with distance; below: file and weight.</source>
        <translation>Die nächsten zuerst, mit Abstand; darunter: Datei und Gewicht.</translation>
    </message>
    <message>
        <source>✓: the class of the image, ≠: another one.</source>
        <translation>✓: die Klasse des Bildes, ≠: eine andere.</translation>
    </message>
    <message>
        <source>The image is in the datastore, and not its own neighbour.</source>
        <translation>Das Bild ist im Datastore und nicht sein eigener Nachbar.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursPage</name>
    <message>
        <source>Accuracy as SVG, PNG or PDF, its table as CSV or TSV, all results as JSON</source>
        <translation>Genauigkeit als SVG, PNG oder PDF, ihre Tabelle als CSV oder TSV, alle Ergebnisse als JSON</translation>
    </message>
    <message>
        <source>Top-1 vs. λ</source>
        <translation>Top-1 über λ</translation>
    </message>
    <message>
        <source>λ is the weight of the neighbours: 0 is the model alone, 1 the neighbours alone; bands: 95 % intervals</source>
        <translation>λ ist das Gewicht der Nachbarn: 0 ist das Modell allein, 1 sind die Nachbarn allein; Bänder: 95-%-Intervalle</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Number of neighbours of the curve</source>
        <translation>Anzahl der Nachbarn der Kurve</translation>
    </message>
    <message>
        <source>The curve that is drawn with its intervals; those of the others are pale</source>
        <translation>Die Kurve, die mit ihren Intervallen gezeichnet wird; die der anderen sind blass</translation>
    </message>
    <message>
        <source>Accuracy as</source>
        <translation>Genauigkeit als</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Accuracy against λ</source>
        <translation>Genauigkeit über λ</translation>
    </message>
    <message>
        <source>Accuracy for every k and λ</source>
        <translation>Genauigkeit für jedes k und λ</translation>
    </message>
    <message>
        <source>Samples to look at</source>
        <translation>Beispiele zum Ansehen</translation>
    </message>
    <message>
        <source>Those of the evaluated folder come here; any other image can be dropped.</source>
        <translation>Hierher kommen die des ausgewerteten Ordners; jedes andere Bild lässt sich ablegen.</translation>
    </message>
    <message>
        <source>Compute the features again?</source>
        <translation>Merkmale erneut berechnen?</translation>
    </message>
    <message>
        <source>%1 already exists. To use it, choose Open a datastore.</source>
        <translation>%1 existiert bereits. Um die Datei zu verwenden, wählen Sie „Datastore öffnen“.</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Its neighbours are looked for once a datastore is there: run first.</source>
        <translation>Seine Nachbarn werden gesucht, sobald ein Datastore da ist: Führen Sie zuerst aus.</translation>
    </message>
    <message>
        <source>Curves appear once all samples are classified</source>
        <translation>Kurven erscheinen, sobald alle Beispiele klassifiziert sind</translation>
    </message>
    <message>
        <source>Evaluate on a labelled folder to see its accuracy</source>
        <translation>Auf einem Ordner mit Labels auswerten, um seine Genauigkeit zu sehen</translation>
    </message>
    <message>
        <source>Stopped before all samples were classified</source>
        <translation>Gestoppt, bevor alle Beispiele klassifiziert waren</translation>
    </message>
    <message>
        <source>Classify by nearest features</source>
        <translation>Klassifizieren nach nächsten Merkmalen</translation>
    </message>
    <message>
        <source>Run computes what is missing and measures the accuracy.</source>
        <translation>„Ausführen“ berechnet, was fehlt, und misst die Genauigkeit.</translation>
    </message>
    <message>
        <source>Stopping after this batch</source>
        <translation>Stoppt nach diesem Batch</translation>
    </message>
    <message>
        <source>Waiting for the current measurement or evaluation</source>
        <translation>Wartet auf die laufende Messung oder Auswertung</translation>
    </message>
    <message>
        <source>Computing the features of %1</source>
        <translation>Merkmale von %1 werden berechnet</translation>
    </message>
    <message>
        <source>Classifying %1</source>
        <translation>%1 wird klassifiziert</translation>
    </message>
    <message>
        <source>There is nothing to export yet; run a search first.</source>
        <translation>Es gibt noch nichts zu exportieren; führen Sie zuerst eine Suche aus.</translation>
    </message>
    <message>
        <source>There is no accuracy to export; evaluate on a labelled folder first.</source>
        <translation>Es gibt keine Genauigkeit zu exportieren; werten Sie zuerst auf einem Ordner mit Labels aus.</translation>
    </message>
    <message>
        <source>Find the neighbours of this image</source>
        <translation>Die Nachbarn dieses Bildes suchen</translation>
    </message>
    <message>
        <source>Compute the features of this folder</source>
        <translation>Die Merkmale dieses Ordners berechnen</translation>
    </message>
    <message>
        <source>Evaluate on this folder</source>
        <translation>Auf diesem Ordner auswerten</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NeighboursSession</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message numerus="yes">
        <source>%1 more file(s) could not be read; the exported JSON lists them.</source>
        <translation>
            <numerusform>%1 weitere Datei konnte nicht gelesen werden; das exportierte JSON führt sie auf.</numerusform>
            <numerusform>%1 weitere Dateien konnten nicht gelesen werden; das exportierte JSON führt sie auf.</numerusform>
        </translation>
    </message>
    <message>
        <source>stopping after this batch</source>
        <translation>stoppt nach diesem Batch</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>wartet auf die laufende Messung oder Auswertung</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>neighbours · %1</source>
        <translation>Nachbarn · %1</translation>
    </message>
    <message>
        <source>neighbours · features of %1</source>
        <translation>Nachbarn · Merkmale von %1</translation>
    </message>
    <message>
        <source>neighbours · accuracy on %1</source>
        <translation>Nachbarn · Genauigkeit auf %1</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>Searching for neighbours</source>
        <translation>Nachbarn werden gesucht</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NetworksSession</name>
    <message>
        <source>two networks</source>
        <translation>zwei Netze</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>Comparing two networks</source>
        <translation>Zwei Netze werden verglichen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NetworksTab</name>
    <message>
        <source>How far apart are two networks, block by block?</source>
        <translation>Wie weit liegen zwei Netze auseinander, Block für Block?</translation>
    </message>
    <message>
        <source>Two networks</source>
        <translation>Zwei Netze</translation>
    </message>
    <message>
        <source>The open network and another checkpoint on the same inputs</source>
        <translation>Das geöffnete Netz und ein anderer Checkpoint mit denselben Eingaben</translation>
    </message>
    <message>
        <source>drift</source>
        <translation>Drift</translation>
    </message>
    <message>
        <source>CKA</source>
        <translation>CKA</translation>
    </message>
    <message>
        <source>Another checkpoint; empty: network 2, or the open one</source>
        <translation>Ein anderer Checkpoint; leer: Netz 2, sonst der geöffnete</translation>
    </message>
    <message>
        <source>as the first</source>
        <translation>wie das erste</translation>
    </message>
    <message>
        <source>In which the second network computes</source>
        <translation>In dem das zweite Netz rechnet</translation>
    </message>
    <message>
        <source>Drift of each block</source>
        <translation>Drift jedes Blocks</translation>
    </message>
    <message>
        <source>Appears once all inputs have been run</source>
        <translation>Erscheint, sobald alle Eingaben gerechnet sind</translation>
    </message>
    <message>
        <source>CKA of all blocks with all blocks</source>
        <translation>CKA aller Blöcke mit allen Blöcken</translation>
    </message>
    <message>
        <source>Attention in the first network</source>
        <translation>Attention im ersten Netz</translation>
    </message>
    <message>
        <source>Attention in the second network</source>
        <translation>Attention im zweiten Netz</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message>
        <source>The drift as SVG, PNG or PDF, the table as CSV or TSV, everything as JSON</source>
        <translation>Die Drift als SVG, PNG oder PDF, die Tabelle als CSV oder TSV, alles als JSON</translation>
    </message>
    <message>
        <source>Open images or videos first; CKA needs four, and 64 are good.</source>
        <translation>Öffnen Sie zuerst Bilder oder Videos; CKA braucht vier, und 64 sind gut.</translation>
    </message>
    <message>
        <source>Choose another checkpoint, or another type.</source>
        <translation>Wählen Sie einen anderen Checkpoint oder einen anderen Typ.</translation>
    </message>
    <message>
        <source>Drift, CKA and attention of each block on %1, and the differences of all tensors.</source>
        <translation>Drift, CKA und Attention jedes Blocks mit %1 und die Unterschiede aller Tensoren.</translation>
    </message>
    <message numerus="yes">
        <source>%1 input(s)</source>
        <translation>
            <numerusform>%1 Eingabe</numerusform>
            <numerusform>%1 Eingaben</numerusform>
        </translation>
    </message>
    <message>
        <source>Both networks run with their own attention; attnscope-cli layers --against compares others too.</source>
        <translation>Beide Netze laufen mit ihrer eigenen Attention; attnscope-cli layers --against vergleicht auch andere.</translation>
    </message>
    <message>
        <source>KL %1 nats over %2 classes</source>
        <translation>KL %1 nats über %2 Klassen</translation>
    </message>
    <message>
        <source>the same first class for %1</source>
        <translation>dieselbe erste Klasse bei %1</translation>
    </message>
    <message>
        <source>%1 and %2 have other blocks</source>
        <translation>%1 und %2 haben andere Blöcke</translation>
    </message>
    <message>
        <source>They drift apart most in %1: %2</source>
        <translation>Am weitesten driften sie auseinander in %1: %2</translation>
    </message>
    <message>
        <source>Comparing two networks</source>
        <translation>Zwei Netze werden verglichen</translation>
    </message>
    <message>
        <source>CKA needs at least 4 inputs</source>
        <translation>CKA braucht mindestens 4 Eingaben</translation>
    </message>
    <message>
        <source>CKA %1</source>
        <translation>CKA %1</translation>
    </message>
    <message>
        <source>Checkpoint of the second network</source>
        <translation>Checkpoint des zweiten Netzes</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Blocks of the first network down, of the second across; choose two of them to see their attention</source>
        <translation>Blöcke des ersten Netzes abwärts, des zweiten quer; wählen Sie zwei davon, um ihre Attention zu sehen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::NowPanel</name>
    <message>
        <source>Current predictions</source>
        <translation>Aktuelle Vorhersagen</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>Select a backend to see its predictions.</source>
        <translation>Wählen Sie ein Backend aus, um seine Vorhersagen zu sehen.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::OptionForm</name>
    <message>
        <source> (%1 to %2)</source>
        <translation> (%1 bis %2)</translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation>Wie der Lauf</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Page</name>
    <message>
        <source>A pasted image has no file name to use in a command; save it to a file and open that file.</source>
        <translation>Ein eingefügtes Bild hat keinen Dateinamen für einen Befehl; speichern Sie es in einer Datei und öffnen Sie diese.</translation>
    </message>
    <message>
        <source>There is nothing yet that a command could repeat.</source>
        <translation>Es gibt noch nichts, was ein Befehl wiederholen könnte.</translation>
    </message>
    <message>
        <source>Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)</source>
        <translation>Videos (*.mp4 *.m4v *.mov *.mkv *.webm *.avi *.gif *.mpg *.mpeg *.ts *.3gp *.ogv)</translation>
    </message>
    <message>
        <source>Images (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)</source>
        <translation>Bilder (*.jpg *.jpeg *.png *.webp *.bmp *.ppm *.pgm *.pnm *.tif *.tiff)</translation>
    </message>
    <message>
        <source>q, k, v tensors (*.safetensors)</source>
        <translation>q-, k-, v-Tensoren (*.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open images or videos</source>
        <translation>Bilder oder Videos öffnen</translation>
    </message>
    <message>
        <source>The command was copied.</source>
        <translation>Der Befehl wurde kopiert.</translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation>%1 von %2 Dateien</translation>
    </message>
    <message>
        <source>%1 was added to the Backends and selected.</source>
        <translation>%1 wurde zu den Backends hinzugefügt und ausgewählt.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PathField</name>
    <message>
        <source>%1: choose…</source>
        <translation>%1: wählen…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PhotoView</name>
    <message>
        <source>Input image</source>
        <translation>Eingabebild</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>unlesbar</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::PlanTab</name>
    <message>
        <source>speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>relativer Fehler</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>top-1 loss</source>
        <translation>Top-1-Verlust</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>Budget</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>Labelled folder…</source>
        <translation>Ordner mit Labels…</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Budget type</source>
        <translation>Art des Budgets</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Ausgewählt</translation>
    </message>
    <message>
        <source>Number of samples of the labelled folder, spread over its classes, that every plan is evaluated on</source>
        <translation>Anzahl der Beispiele des Ordners mit Labels, über seine Klassen verteilt, auf denen jeder Plan ausgewertet wird</translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation>Ein Ordner mit einem Unterordner mit Bildern oder Videos je Klasse</translation>
    </message>
    <message>
        <source>Choose a labelled folder</source>
        <translation>Ordner mit Labels wählen</translation>
    </message>
    <message>
        <source>Labelled folder: %1; click to choose another</source>
        <translation>Ordner mit Labels: %1; zum Wechseln klicken</translation>
    </message>
    <message>
        <source>Images or videos in subfolders named after the model&apos;s classes</source>
        <translation>Bilder oder Videos in Unterordnern, die wie die Klassen des Modells heißen</translation>
    </message>
    <message>
        <source>Attention error vs. latency</source>
        <translation>Attention-Fehler über Latenz</translation>
    </message>
    <message>
        <source>Plans appear once all layers have been measured</source>
        <translation>Pläne erscheinen, sobald alle Schichten gemessen sind</translation>
    </message>
    <message>
        <source>Measured plans</source>
        <translation>Gemessene Pläne</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>Plan verwenden</translation>
    </message>
    <message>
        <source>Adds its specification to the Backends and selects it</source>
        <translation>Fügt seine Spezifikation zu den Backends hinzu und wählt sie aus</translation>
    </message>
    <message>
        <source>Layers of the plan</source>
        <translation>Schichten des Plans</translation>
    </message>
    <message>
        <source>Choose a labelled folder, whose subfolder names give the true classes.</source>
        <translation>Wählen Sie einen Ordner mit Labels, dessen Unterordnernamen die wahren Klassen angeben.</translation>
    </message>
    <message>
        <source>Open an image in Compare, on which the cost and error of every layer are measured.</source>
        <translation>Öffnen Sie im Vergleich ein Bild, an dem Kosten und Fehler jeder Schicht gemessen werden.</translation>
    </message>
    <message>
        <source>Select a backend other than softmax, or use the default approximations.</source>
        <translation>Wählen Sie ein anderes Backend als softmax aus oder verwenden Sie die Standard-Approximationen.</translation>
    </message>
    <message>
        <source>Which layers can use a cheaper attention?</source>
        <translation>Welche Schichten können eine günstigere Attention verwenden?</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 Eingaben</translation>
    </message>
    <message>
        <source>Plan %1: %2 for every layer, on %3; takes a few minutes.</source>
        <translation>Plan %1: %2 für jede Schicht, auf %3; dauert einige Minuten.</translation>
    </message>
    <message numerus="yes">
        <source>%1 candidate(s)</source>
        <translation>
            <numerusform>%1 Kandidat</numerusform>
            <numerusform>%1 Kandidaten</numerusform>
        </translation>
    </message>
    <message>
        <source>Measures the cost and error of each candidate in each layer, combines them into Pareto-optimal plans, and measures those end to end.</source>
        <translation>Misst Kosten und Fehler jedes Kandidaten in jeder Schicht, kombiniert sie zu Pareto-optimalen Plänen und misst diese Ende-zu-Ende.</translation>
    </message>
    <message>
        <source>Measuring every candidate in every layer</source>
        <translation>Jeder Kandidat wird in jeder Schicht gemessen</translation>
    </message>
    <message>
        <source>A backend for each layer, within a budget</source>
        <translation>Ein Backend für jede Schicht, innerhalb eines Budgets</translation>
    </message>
    <message>
        <source>Layer times and errors are added up; the Pareto front is searched, then measured.</source>
        <translation>Zeiten und Fehler der Schichten werden addiert; die Pareto-Front wird gesucht, dann gemessen.</translation>
    </message>
    <message>
        <source>Top-1 on labelled samples vs. model latency; bars: 95 % interval</source>
        <translation>Top-1 auf Beispielen mit Labels über Modelllatenz; Balken: 95-%-Intervall</translation>
    </message>
    <message>
        <source>Relative attention error vs. model latency</source>
        <translation>Relativer Attention-Fehler über Modelllatenz</translation>
    </message>
    <message>
        <source>%1; logarithmic</source>
        <translation>%1; logarithmisch</translation>
    </message>
    <message>
        <source>softmax, explicit</source>
        <translation>softmax, explizit</translation>
    </message>
    <message>
        <source>mixed plans</source>
        <translation>gemischte Pläne</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source> nats</source>
        <translation> Nat</translation>
    </message>
    <message>
        <source> points</source>
        <translation> Punkte</translation>
    </message>
    <message numerus="yes">
        <source>%1 sample(s) from %2</source>
        <translation>
            <numerusform>%1 Beispiel aus %2</numerusform>
            <numerusform>%1 Beispielen aus %2</numerusform>
        </translation>
    </message>
    <message>
        <source>Selected backends only</source>
        <translation>Nur ausgewählte Backends</translation>
    </message>
    <message>
        <source>a plan</source>
        <translation>ein Plan</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueModel</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>One backend on one folder. All backends of a folder see the same samples, each decoded once.</source>
        <translation>Ein Backend auf einem Ordner. Alle Backends eines Ordners sehen dieselben Beispiele, jedes einmal dekodiert.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Samples processed by every backend; unreadable ones count as done.</source>
        <translation>Von jedem Backend verarbeitete Beispiele; unlesbare zählen als erledigt.</translation>
    </message>
    <message>
        <source>Top-1 %, 95 % interval</source>
        <translation>Top-1 %, 95-%-Intervall</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>Files that could not be read; they count as neither correct nor wrong.</source>
        <translation>Dateien, die nicht gelesen werden konnten; sie zählen weder als richtig noch als falsch.</translation>
    </message>
    <message>
        <source>Time left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Before the start: the time this backend is estimated to take, measured on 20 of the files.</source>
        <translation>Vor dem Start: geschätzte Dauer für dieses Backend, gemessen an 20 der Dateien.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation>Noch keine Beispiele</translation>
    </message>
    <message>
        <source>Scanning…</source>
        <translation>Prüfung…</translation>
    </message>
    <message>
        <source>Scanning the folder…</source>
        <translation>Ordner wird geprüft…</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Gescheitert</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>Lädt…</translation>
    </message>
    <message>
        <source>Loading model and data…</source>
        <translation>Modell und Daten werden geladen…</translation>
    </message>
    <message>
        <source>Estimating…</source>
        <translation>Schätzung…</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation>Wartet auf Messung</translation>
    </message>
    <message>
        <source>Disk full</source>
        <translation>Platte voll</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Computing features…</source>
        <translation>Merkmale werden berechnet…</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>bisher</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::QueueView</name>
    <message>
        <source>Evaluations</source>
        <translation>Auswertungen</translation>
    </message>
    <message>
        <source>Top-5 %</source>
        <translation>Top-5 %</translation>
    </message>
    <message>
        <source>Unreadable</source>
        <translation>Unlesbar</translation>
    </message>
    <message>
        <source>about 59 min</source>
        <translation>ungefähr 59 min</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Rail</name>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Strg+%2)</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RecentFiles</name>
    <message>
        <source>Nothing has been opened yet</source>
        <translation>Noch nichts geöffnet</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>&amp;Liste leeren</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ReportHead</name>
    <message>
        <source>Run again</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The attnscope-cli command that gives the same results</source>
        <translation>Der attnscope-cli-Befehl, der dieselben Ergebnisse liefert</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsPage</name>
    <message numerus="yes">
        <source>%1 run(s)</source>
        <translation>
            <numerusform>%1 Lauf</numerusform>
            <numerusform>%1 Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2, %1 gezeigt</translation>
    </message>
    <message>
        <source>%1; best top-1: %2 with %3 % on %4</source>
        <translation>%1; beste Top-1: %2 mit %3 % auf %4</translation>
    </message>
    <message>
        <source>%1; no clear winner on %4 (%2: %3 % top-1)</source>
        <translation>%1; kein klarer Sieger auf %4 (%2: %3 % Top-1)</translation>
    </message>
    <message>
        <source>Select runs to compare them side by side</source>
        <translation>Wählen Sie Läufe aus, um sie nebeneinander zu vergleichen</translation>
    </message>
    <message>
        <source>First %1 runs of the table; select runs or filter to see others</source>
        <translation>Die ersten %1 Läufe der Tabelle; wählen Sie Läufe aus oder filtern Sie, um andere zu sehen</translation>
    </message>
    <message>
        <source>All runs of the table; select runs to see only those</source>
        <translation>Alle Läufe der Tabelle; wählen Sie Läufe aus, um nur diese zu sehen</translation>
    </message>
    <message numerus="yes">
        <source>%1 selected run(s)</source>
        <translation>
            <numerusform>%1 ausgewählter Lauf</numerusform>
            <numerusform>%1 ausgewählte Läufe</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, published</source>
        <translation>%1, publiziert</translation>
    </message>
    <message>
        <source>%1 % (LARA paper, ImageNet-1k)</source>
        <translation>%1 % (LARA-Paper, ImageNet-1k)</translation>
    </message>
    <message>
        <source>The evaluation of %1 with its %2 was moved to the trash.</source>
        <translation>Die Auswertung von %1 (%2) wurde in den Papierkorb verschoben.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Delete for good what was moved to the trash: %1</source>
        <translation>Endgültig löschen, was im Papierkorb liegt: %1</translation>
    </message>
    <message numerus="yes">
        <source>%1 evaluation(s)</source>
        <translation>
            <numerusform>%1 Auswertung</numerusform>
            <numerusform>%1 Auswertungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Empty the trash?</source>
        <translation>Papierkorb leeren?</translation>
    </message>
    <message>
        <source>%1 of %2 will be deleted from %3 for good.</source>
        <translation>Aus %3 wird endgültig gelöscht: %1 (%2).</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Deselect (Space)</source>
        <translation>Abwählen (Leertaste)</translation>
    </message>
    <message>
        <source>Select (Space)</source>
        <translation>Auswählen (Leertaste)</translation>
    </message>
    <message>
        <source>Clear reference (R)</source>
        <translation>Referenz aufheben (R)</translation>
    </message>
    <message>
        <source>Use as reference (R)</source>
        <translation>Als Referenz verwenden (R)</translation>
    </message>
    <message>
        <source>Edit note (F2)</source>
        <translation>Notiz bearbeiten (F2)</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>Move to Trash (Del)</source>
        <translation>In den Papierkorb (Entf)</translation>
    </message>
    <message>
        <source>Empty Trash…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>Early Exits</translation>
    </message>
    <message>
        <source>The attnscope-cli command that repeats the current row&apos;s evaluation</source>
        <translation>Der Befehl von attnscope-cli, der die Auswertung der aktuellen Zeile wiederholt</translation>
    </message>
    <message>
        <source>Open store</source>
        <translation>Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>One file with tables, figures, settings and the commands to repeat them: HTML, Markdown or CSV</source>
        <translation>Eine Datei mit Tabellen, Abbildungen, Einstellungen und den Befehlen zum Wiederholen: HTML, Markdown oder CSV</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>Läufe filtern</translation>
    </message>
    <message>
        <source>Filter, e.g. model:deit attention:lara folder:imagenet-val, or any word</source>
        <translation>Filter, z. B. model:deit attention:lara folder:imagenet-val oder ein beliebiges Wort</translation>
    </message>
    <message>
        <source>Fields: %1. Use quotation marks for text with spaces; a minus sign excludes a word.</source>
        <translation>Felder: %1. Verwenden Sie Anführungszeichen für Text mit Leerzeichen; ein Minuszeichen schließt ein Wort aus.</translation>
    </message>
    <message>
        <source>Empty Trash</source>
        <translation>Papierkorb leeren</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>y</source>
        <translation>y</translation>
    </message>
    <message>
        <source>Vertical axis</source>
        <translation>Vertikale Achse</translation>
    </message>
    <message>
        <source>x</source>
        <translation>x</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>Horizontale Achse</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>Nur Unterschiede</translation>
    </message>
    <message>
        <source>Show only settings that differ</source>
        <translation>Nur Einstellungen zeigen, die sich unterscheiden</translation>
    </message>
    <message>
        <source>Scatter chart of runs</source>
        <translation>Streudiagramm der Läufe</translation>
    </message>
    <message>
        <source>Select runs that have values for both axes</source>
        <translation>Wählen Sie Läufe aus, die Werte für beide Achsen haben</translation>
    </message>
    <message>
        <source>Runs side by side</source>
        <translation>Läufe nebeneinander</translation>
    </message>
    <message>
        <source>Open a results store</source>
        <translation>Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>Results stores (*.sqlite *.db);;All files (*)</source>
        <translation>Ergebnisse (*.sqlite *.db);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Export</translation>
    </message>
    <message>
        <source>Runs in %1</source>
        <translation>Läufe in %1</translation>
    </message>
    <message>
        <source>HTML (*.html);;Markdown (*.md);;CSV (*.csv)</source>
        <translation>HTML (*.html);;Markdown (*.md);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>Report saved to %1.</source>
        <translation>Bericht in %1 gespeichert.</translation>
    </message>
    <message>
        <source> · run %1</source>
        <translation> · Lauf %1</translation>
    </message>
    <message>
        <source>%1 on different samples or with different settings; filter to see the best</source>
        <translation>%1 auf verschiedenen Proben oder mit verschiedenen Einstellungen; filtern zeigt den besten</translation>
    </message>
    <message>
        <source>Runs as CSV (*.csv);;Runs as JSON (*.json);;Table as TSV (*.tsv);;Table as Markdown (*.md);;Table as LaTeX (*.tex);;Chart as SVG (*.svg);;Chart as PNG, 2× (*.png);;Chart as PDF (*.pdf)</source>
        <translation>Läufe als CSV (*.csv);;Läufe als JSON (*.json);;Tabelle als TSV (*.tsv);;Tabelle als Markdown (*.md);;Tabelle als LaTeX (*.tex);;Diagramm als SVG (*.svg);;Diagramm als PNG, 2× (*.png);;Diagramm als PDF (*.pdf)</translation>
    </message>
    <message numerus="yes">
        <source>%1 training(s)</source>
        <translation>
            <numerusform>%1 Training</numerusform>
            <numerusform>%1 Trainings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ResultsSession</name>
    <message>
        <source>exits · accuracy behind each block</source>
        <translation>Exits · Genauigkeit nach jedem Block</translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation>Messung: %1</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>wartet auf die laufende Messung oder Auswertung</translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation>%1 von %2 Beispielen</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunTableModel</name>
    <message>
        <source>pooled</source>
        <translation>gepoolt</translation>
    </message>
    <message>
        <source>class token</source>
        <translation>Klassen-Token</translation>
    </message>
    <message>
        <source>patch mean</source>
        <translation>Patch-Mittel</translation>
    </message>
    <message>
        <source>token and mean</source>
        <translation>Token und Mittel</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>each patch</source>
        <translation>je Patch</translation>
    </message>
    <message>
        <source>5th percentile</source>
        <translation>5. Perzentil</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>Vorhersage</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>top 5</source>
        <translation>Top 5</translation>
    </message>
    <message>
        <source>cosine with exact attention&apos;s</source>
        <translation>Kosinus mit exakter Attention</translation>
    </message>
    <message>
        <source>, largest in %1 (%2)</source>
        <translation>, am größten in %1 (%2)</translation>
    </message>
    <message>
        <source>Not enough memory</source>
        <translation>Zu wenig Speicher</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>Nicht ausführbar</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>mit %1 erstellt</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 of %2 agree with %3</source>
        <translation>%1 von %2 stimmen mit %3 überein</translation>
    </message>
    <message>
        <source>same top-1</source>
        <translation>gleiche Top-1</translation>
    </message>
    <message>
        <source>different</source>
        <translation>anders</translation>
    </message>
    <message>
        <source>same top-1 as %1</source>
        <translation>gleiche Top-1 wie %1</translation>
    </message>
    <message>
        <source>differs from %1</source>
        <translation>anders als %1</translation>
    </message>
    <message>
        <source>same neighbour: %1 of %2</source>
        <translation>gleicher Nachbar: %1 von %2</translation>
    </message>
    <message>
        <source>unreadable</source>
        <translation>unlesbar</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>noch kein Lauf</translation>
    </message>
    <message>
        <source>waiting for the model</source>
        <translation>wartet auf das Modell</translation>
    </message>
    <message>
        <source>waiting for memory</source>
        <translation>wartet auf Speicher</translation>
    </message>
    <message>
        <source>waiting for latency</source>
        <translation>wartet auf Latenz</translation>
    </message>
    <message>
        <source>waiting for predictions</source>
        <translation>wartet auf Vorhersagen</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>wird gemessen</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>nicht gemessen</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>Run measures them</source>
        <translation>Ausführen misst sie</translation>
    </message>
    <message>
        <source>no classes</source>
        <translation>keine Klassen</translation>
    </message>
    <message>
        <source>%1 %2, differs</source>
        <translation>%1 %2, weicht ab</translation>
    </message>
    <message>
        <source>, reference</source>
        <translation>, Referenz</translation>
    </message>
    <message>
        <source>≥ mean %1</source>
        <translation>≥ Mittel %1</translation>
    </message>
    <message>
        <source>mean %1</source>
        <translation>Mittel %1</translation>
    </message>
    <message>
        <source>waiting for features</source>
        <translation>wartet auf Merkmale</translation>
    </message>
    <message>
        <source>using the mean of the values for every query would have an error of %1</source>
        <translation>das Mittel der Values für jede Query hätte einen Fehler von %1</translation>
    </message>
    <message>
        <source>other classes</source>
        <translation>andere Klassen</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::RunsModel</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>%1 days ago</source>
        <translation>vor %1 Tagen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Number in the store. Selected runs are compared side by side.</source>
        <translation>Nummer in den Ergebnissen. Ausgewählte Läufe werden nebeneinander verglichen.</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>trained: weights trained with this attention; swapped: trained with a different one; untrained: cost is meaningful, accuracy is not.</source>
        <translation>trainiert: Gewichte, die mit dieser Attention trainiert wurden; getauscht: mit einer anderen trainiert; untrainiert: Kosten sind aussagekräftig, die Genauigkeit ist es nicht.</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Your note on the evaluation; press F2 to edit.</source>
        <translation>Ihre Notiz zur Auswertung; F2 zum Bearbeiten.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1 of %2 samples, 95 % interval %3; %4 unreadable</source>
        <translation>%1 von %2 Beispielen, 95-%-Intervall %3; %4 unlesbar</translation>
    </message>
    <message>
        <source>run %1, %2: %3</source>
        <translation>Lauf %1, %2: %3</translation>
    </message>
    <message>
        <source>%1 ≈: no clear difference from the reference.</source>
        <translation>%1 ≈: kein klarer Unterschied zur Referenz.</translation>
    </message>
    <message>
        <source>median of %1 repetitions, p5–p95 %2</source>
        <translation>Median aus %1 Wiederholungen, p5–p95 %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesModel</name>
    <message>
        <source>class %1</source>
        <translation>Klasse %1</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1, true class %2</source>
        <translation>%1, wahre Klasse %2</translation>
    </message>
    <message>
        <source>, %1 predicts %2</source>
        <translation>, %1 sagt %2 voraus</translation>
    </message>
    <message>
        <source>true class: %1</source>
        <translation>wahre Klasse: %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SamplesTab</name>
    <message>
        <source>Sample counts</source>
        <translation>Stichprobenzahlen</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>Number of seeds for each random attention</source>
        <translation>Anzahl der Seeds für jede zufällige Attention</translation>
    </message>
    <message>
        <source>Error component</source>
        <translation>Fehleranteil</translation>
    </message>
    <message>
        <source>Variance</source>
        <translation>Varianz</translation>
    </message>
    <message>
        <source>Bias²</source>
        <translation>Bias²</translation>
    </message>
    <message>
        <source>Mean squared error</source>
        <translation>Mittlerer quadratischer Fehler</translation>
    </message>
    <message>
        <source>Curves appear once everything has been measured</source>
        <translation>Kurven erscheinen, sobald alles gemessen ist</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Sample counts in ascending order, separated by commas</source>
        <translation>Stichprobenzahlen in aufsteigender Reihenfolge, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>How many samples does an approximation need?</source>
        <translation>Wie viele Stichproben braucht eine Approximation?</translation>
    </message>
    <message>
        <source>Select a backend other than softmax, which is the reference for the error.</source>
        <translation>Wählen Sie ein anderes Backend als softmax aus, das die Referenz für den Fehler ist.</translation>
    </message>
    <message>
        <source>Open an image in Compare, or a file with q, k and v.</source>
        <translation>Öffnen Sie im Vergleich ein Bild oder eine Datei mit q, k und v.</translation>
    </message>
    <message>
        <source>Error of %1 with %3 to %4 samples (%2), %5: %6.</source>
        <translation>Fehler von %1 mit %3 bis %4 Stichproben (%2), %5: %6.</translation>
    </message>
    <message numerus="yes">
        <source>%1 value(s)</source>
        <translation>
            <numerusform>%1 Wert</numerusform>
            <numerusform>%1 Werte</numerusform>
        </translation>
    </message>
    <message>
        <source>Mean, standard deviation, bias² and variance over seeds, with a 1/samples line and two baselines. Exact softmax is 0.</source>
        <translation>Mittel, Standardabweichung, Bias² und Varianz über Seeds, mit einer Linie für 1/Stichproben und zwei Baselines. Exaktes softmax ist 0.</translation>
    </message>
    <message>
        <source>Measuring the error %1</source>
        <translation>Messung des Fehlers %1</translation>
    </message>
    <message>
        <source>Error vs. number of samples</source>
        <translation>Fehler über der Anzahl der Stichproben</translation>
    </message>
    <message>
        <source>As in figure 1 of the LARA paper: the same q, k, v for all, averaged over heads, layers and inputs.</source>
        <translation>Wie in Abbildung 1 des LARA-Papers: dieselben q, k, v für alle, gemittelt über Köpfe, Schichten und Eingaben.</translation>
    </message>
    <message>
        <source>mean of the values</source>
        <translation>Mittel der Values</translation>
    </message>
    <message>
        <source>Baseline: every query outputs the mean of v</source>
        <translation>Baseline: Jede Query gibt das Mittel von v aus</translation>
    </message>
    <message>
        <source>zero</source>
        <translation>Null</translation>
    </message>
    <message>
        <source>Baseline: every query outputs 0</source>
        <translation>Baseline: Jede Query gibt 0 aus</translation>
    </message>
    <message>
        <source>Variance and 1/samples</source>
        <translation>Varianz und 1/Stichproben</translation>
    </message>
    <message>
        <source>Deterministic backends have no variance</source>
        <translation>Deterministische Backends haben keine Varianz</translation>
    </message>
    <message>
        <source>No bias² above 0</source>
        <translation>Kein Bias² über 0</translation>
    </message>
    <message>
        <source>Open q, k, v…</source>
        <translation>q, k, v öffnen…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScalePage</name>
    <message>
        <source>Measurement</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>Dekodieren</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Stichproben</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>Charts as SVG, PNG or PDF, the table as CSV or TSV, all results as JSON</source>
        <translation>Diagramme als SVG, PNG oder PDF, die Tabelle als CSV oder TSV, alle Ergebnisse als JSON</translation>
    </message>
    <message>
        <source>Another tab is being measured: run this one once it has ended, or stop that one.</source>
        <translation>Ein anderer Reiter wird gemessen: Starten Sie diesen danach, oder halten Sie den anderen an.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleSession</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>stopping after %1</source>
        <translation>stoppt nach %1</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>diesem Schritt</translation>
    </message>
    <message>
        <source>waiting for the current measurement or evaluation</source>
        <translation>wartet auf die laufende Messung oder Auswertung</translation>
    </message>
    <message>
        <source>%1 of %2 points</source>
        <translation>%1 von %2 Punkten</translation>
    </message>
    <message>
        <source>, %1 of %2</source>
        <translation>, %1 von %2</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>scale · time and memory vs. tokens</source>
        <translation>Skalierung · Zeit und Speicher über Token</translation>
    </message>
    <message>
        <source>decode · cost of a token vs. position</source>
        <translation>Dekodieren · Kosten eines Tokens über der Position</translation>
    </message>
    <message>
        <source>approximate · error vs. samples</source>
        <translation>Approximation · Fehler über Stichproben</translation>
    </message>
    <message>
        <source>approximate · random features vs. norm</source>
        <translation>Approximation · Zufallsmerkmale über der Norm</translation>
    </message>
    <message>
        <source>plan · backend for each layer</source>
        <translation>Plan · Backend für jede Schicht</translation>
    </message>
    <message>
        <source>Measuring: %1</source>
        <translation>Messung: %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ScaleTab</name>
    <message>
        <source>Image</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Image size, which determines the number of tokens</source>
        <translation>Bildgröße, von der die Tokenzahl abhängt</translation>
    </message>
    <message>
        <source>Same as run</source>
        <translation>Wie der Lauf</translation>
    </message>
    <message>
        <source>The size in the bar above, or else the model&apos;s own</source>
        <translation>Die Größe in der Leiste oben, sonst die des Modells</translation>
    </message>
    <message>
        <source>%1 px</source>
        <translation>%1 px</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Screenshots</name>
    <message>
        <source>--run: there is nothing to run on this screen; name files or use --demo.</source>
        <translation>--run: In dieser Ansicht gibt es nichts auszuführen; nennen Sie Dateien oder verwenden Sie --demo.</translation>
    </message>
    <message>
        <source>%1: cannot be written; choose a writable folder.</source>
        <translation>%1: kann nicht geschrieben werden; wählen Sie einen beschreibbaren Ordner.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SearchForm</name>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Number of samples of each folder, spread evenly</source>
        <translation>Anzahl der Beispiele jedes Ordners, gleichmäßig verteilt</translation>
    </message>
    <message>
        <source>Attention with which features are computed</source>
        <translation>Attention, mit der Merkmale berechnet werden</translation>
    </message>
    <message>
        <source>Features of other attentions come from the backends that are selected</source>
        <translation>Merkmale anderer Attentions kommen von den ausgewählten Backends</translation>
    </message>
    <message>
        <source>Numbers of neighbours</source>
        <translation>Anzahlen der Nachbarn</translation>
    </message>
    <message>
        <source>Distance between features</source>
        <translation>Abstand zwischen Merkmalen</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>L2, squared</source>
        <translation>L2, quadriert</translation>
    </message>
    <message>
        <source>Cosine</source>
        <translation>Kosinus</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Neighbours weigh exp(−distance/temperature); by default 1, or 0.07 for the cosine</source>
        <translation>Nachbarn haben das Gewicht exp(−Abstand/Temperatur); standardmäßig 1, oder 0,07 beim Kosinus</translation>
    </message>
    <message>
        <source>τ default</source>
        <translation>τ Standard</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Build from a labelled folder…</source>
        <translation>Aus einem Ordner mit Labels erstellen…</translation>
    </message>
    <message>
        <source>Open a datastore…</source>
        <translation>Datastore öffnen…</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>Die des Modells</translation>
    </message>
    <message>
        <source>Build from %1</source>
        <translation>Aus %1 erstellen</translation>
    </message>
    <message>
        <source>Datastore…</source>
        <translation>Datastore…</translation>
    </message>
    <message>
        <source>%1
Features go to %2</source>
        <translation>%1
Merkmale gehen nach %2</translation>
    </message>
    <message>
        <source>The features that are searched: of a labelled folder, or from a file</source>
        <translation>Die Merkmale, in denen gesucht wird: die eines Ordners mit Labels oder aus einer Datei</translation>
    </message>
    <message>
        <source>Choose a datastore</source>
        <translation>Datastore wählen</translation>
    </message>
    <message>
        <source>Datastore: %1; click to choose another</source>
        <translation>Datastore: %1; zum Wechseln klicken</translation>
    </message>
    <message>
        <source>Evaluate on…</source>
        <translation>Auswerten auf…</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>Auf %1 auswerten</translation>
    </message>
    <message>
        <source>A labelled folder with the classes of the datastore, for accuracy and for images to look at</source>
        <translation>Ein Ordner mit Labels und den Klassen des Datastores, für die Genauigkeit und für Bilder zum Ansehen</translation>
    </message>
    <message>
        <source>Choose a folder to evaluate on</source>
        <translation>Ordner zum Auswerten wählen</translation>
    </message>
    <message>
        <source>Evaluated folder: %1; click to choose another</source>
        <translation>Ausgewerteter Ordner: %1; zum Wechseln klicken</translation>
    </message>
    <message>
        <source>A folder with one subfolder of images or videos per class</source>
        <translation>Ein Ordner mit einem Unterordner mit Bildern oder Videos je Klasse</translation>
    </message>
    <message>
        <source>A datastore of features</source>
        <translation>Ein Datastore mit Merkmalen</translation>
    </message>
    <message>
        <source>Datastores (*.safetensors);;All files (*)</source>
        <translation>Datastores (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>A labelled folder to evaluate on</source>
        <translation>Ein Ordner mit Labels zum Auswerten</translation>
    </message>
    <message>
        <source>“%1” is not a number of neighbours from 1 to %2.</source>
        <translation>„%1“ ist keine Nachbarnzahl von 1 bis %2.</translation>
    </message>
    <message>
        <source>Choose a labelled folder whose features are computed, or a datastore of features.</source>
        <translation>Wählen Sie einen Ordner mit Labels, dessen Merkmale berechnet werden, oder einen Datastore mit Merkmalen.</translation>
    </message>
    <message>
        <source>Choose a labelled folder to evaluate on.</source>
        <translation>Wählen Sie einen Ordner mit Labels zum Auswerten.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Segments</name>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%1 von %2: %3</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Session</name>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 von %2 Schritten</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Design</translation>
    </message>
    <message>
        <source>Default: follow the system.</source>
        <translation>Standard: wie das System.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>From the next start. Sentences of the command line stay English.</source>
        <translation>Ab dem nächsten Start. Sätze der Befehlszeile bleiben englisch.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Threads for models on the CPU. Default: one per core.</source>
        <translation>Threads für Modelle auf der CPU. Standard: einer je Kern.</translation>
    </message>
    <message>
        <source>One per core</source>
        <translation>Einer je Kern</translation>
    </message>
    <message>
        <source>Seeds</source>
        <translation>Seeds</translation>
    </message>
    <message>
        <source>Number of seeds over which errors of random backends are averaged. Default: 3.</source>
        <translation>Anzahl der Seeds, über die Fehler zufälliger Backends gemittelt werden. Standard: 3.</translation>
    </message>
    <message>
        <source>Repetitions</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Minimum number of timed passes per backend. Default: 20.</source>
        <translation>Mindestzahl gemessener Durchläufe je Backend. Standard: 20.</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Minimum measuring time</source>
        <translation>Mindestmesszeit</translation>
    </message>
    <message>
        <source>For each backend. Default: 1 s.</source>
        <translation>Für jedes Backend. Standard: 1 s.</translation>
    </message>
    <message>
        <source>Maximum image size</source>
        <translation>Größtes Bild</translation>
    </message>
    <message>
        <source>Checked before anything is decoded. Default: 100 megapixels.</source>
        <translation>Wird vor jedem Dekodieren geprüft. Standard: 100 Megapixel.</translation>
    </message>
    <message>
        <source> megapixels</source>
        <translation> Megapixel</translation>
    </message>
    <message>
        <source>Maximum image file size</source>
        <translation>Größte Bilddatei</translation>
    </message>
    <message>
        <source>Default: 512 MiB.</source>
        <translation>Standard: 512 MiB.</translation>
    </message>
    <message>
        <source> MiB</source>
        <translation> MiB</translation>
    </message>
    <message>
        <source>Maximum side length</source>
        <translation>Größte Seitenlänge</translation>
    </message>
    <message>
        <source>Default: 16384 pixels.</source>
        <translation>Standard: 16384 Pixel.</translation>
    </message>
    <message>
        <source> pixels</source>
        <translation> Pixel</translation>
    </message>
    <message>
        <source>Crop cache on disk</source>
        <translation>Ausschnitt-Cache auf Platte</translation>
    </message>
    <message>
        <source>Lets repeated evaluations of a folder skip decoding; 150 KB per image. Default: none.</source>
        <translation>Erspart wiederholten Auswertungen eines Ordners das Dekodieren; 150 KB je Bild. Standard: keiner.</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>In %1</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Networks kept in memory</source>
        <translation>Netze im Speicher</translation>
    </message>
    <message>
        <source>Those used last, so that a comparison need not load them again. Default: 2.</source>
        <translation>Die zuletzt benutzten, damit ein Vergleich sie nicht neu laden muss. Standard: 2.</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>Which of them can be used, and the installation of what is missing.</source>
        <translation>Welche benutzt werden können und die Installation dessen, was fehlt.</translation>
    </message>
    <message>
        <source>Show…</source>
        <translation>Anzeigen…</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::SpecRow</name>
    <message>
        <source>Specification of %1</source>
        <translation>Spezifikation von %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TabStrip</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TensorSource</name>
    <message>
        <source>q, k, v</source>
        <translation>q, k, v</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Head size</source>
        <translation>Kopfgröße</translation>
    </message>
    <message>
        <source>Source of q, k and v</source>
        <translation>Quelle von q, k und v</translation>
    </message>
    <message>
        <source>From the model</source>
        <translation>Aus dem Modell</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>Aus Datei…</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>Zufällig</translation>
    </message>
    <message>
        <source>Independent standard normal values, drawn with the seed from the bar above, so there is no structure to find</source>
        <translation>Unabhängige standardnormalverteilte Werte, gezogen mit dem Seed aus der Leiste oben; es gibt also keine Struktur zu finden</translation>
    </message>
    <message>
        <source>224, 384 and 448 pixels give 196, 576 and 784 patches of 16×16, as in the paper&apos;s figure</source>
        <translation>224, 384 und 448 Pixel ergeben 196, 576 und 784 Patches von 16×16, wie in der Abbildung des Papers</translation>
    </message>
    <message>
        <source>A file of q, k and v</source>
        <translation>Eine Datei mit q, k und v</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors);;All files (*)</source>
        <translation>Tensoren (*.safetensors);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Aus %1</translation>
    </message>
    <message>
        <source>on random q, k, v</source>
        <translation>auf zufälligen q, k, v</translation>
    </message>
    <message>
        <source>on q, k, v from %1</source>
        <translation>auf q, k, v aus %1</translation>
    </message>
    <message>
        <source>%1 inputs</source>
        <translation>%1 Eingaben</translation>
    </message>
    <message>
        <source>on the model&apos;s own q, k, v for %1</source>
        <translation>auf den q, k, v des Modells für %1</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TimelineView</name>
    <message>
        <source>Column headers and time axis</source>
        <translation>Spaltenköpfe und Zeitachse</translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation>Zeitleisten</translation>
    </message>
    <message>
        <source>Could not run</source>
        <translation>Nicht ausführbar</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainForm</name>
    <message>
        <source>Start training</source>
        <translation>Training starten</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>Drop a folder here</source>
        <translation>Ordner hier ablegen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>With the folders train and val, each with one subfolder per class; or class folders only.</source>
        <translation>Mit den Ordnern train und val, jeweils mit einem Unterordner je Klasse; oder nur Klassenordner.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Selected in the bar above, for all screens.</source>
        <translation>In der Leiste oben für alle Ansichten ausgewählt.</translation>
    </message>
    <message>
        <source>Random weights</source>
        <translation>Zufällige Gewichte</translation>
    </message>
    <message>
        <source>Other checkpoint…</source>
        <translation>Anderer Checkpoint…</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>Start von</translation>
    </message>
    <message>
        <source>The weights that training starts from.</source>
        <translation>Die Gewichte, mit denen das Training beginnt.</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>The attention that the weights are trained for.</source>
        <translation>Die Attention, für die die Gewichte trainiert werden.</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>Lehrer</translation>
    </message>
    <message>
        <source>A checkpoint whose attention outputs and predictions are distilled; usually the softmax model itself.</source>
        <translation>Ein Checkpoint, dessen Attention-Ausgaben und Vorhersagen destilliert werden; meist das softmax-Modell selbst.</translation>
    </message>
    <message>
        <source>Checkpoint to start from</source>
        <translation>Ausgangs-Checkpoint</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Trainingsplan</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Number of passes over the training set.</source>
        <translation>Anzahl der Durchläufe durch den Trainingssatz.</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>Batchgröße</translation>
    </message>
    <message>
        <source>Number of samples per step.</source>
        <translation>Anzahl der Beispiele je Schritt.</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Peak learning rate; the schedule is a linear warm-up followed by cosine decay.</source>
        <translation>Höchste Lernrate; der Trainingsplan ist ein lineares Warm-up, gefolgt von Kosinus-Abfall.</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Warm-up</translation>
    </message>
    <message>
        <source>Number of epochs in which the learning rate rises from 0.</source>
        <translation>Anzahl der Epochen, in denen die Lernrate von 0 ansteigt.</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More training settings</source>
        <translation>Mehr Trainingseinstellungen</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>Trained weights</source>
        <translation>Trainierte Gewichte</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors)</source>
        <translation>Checkpoints (*.safetensors)</translation>
    </message>
    <message>
        <source>Save to</source>
        <translation>Speichern in</translation>
    </message>
    <message>
        <source>The weights after each epoch; next to it, the best weights, the data needed to resume, and the history.</source>
        <translation>Die Gewichte nach jeder Epoche; daneben die besten Gewichte, die Daten zum Fortsetzen und der Verlauf.</translation>
    </message>
    <message>
        <source>If the file exists</source>
        <translation>Falls vorhanden</translation>
    </message>
    <message>
        <source>What to do with the existing file.</source>
        <translation>Was mit der vorhandenen Datei geschieht.</translation>
    </message>
    <message>
        <source>Restore training settings</source>
        <translation>Trainingseinstellungen laden</translation>
    </message>
    <message>
        <source>Fill in the form with the settings of the training run saved next to this file</source>
        <translation>Das Formular mit den Einstellungen des Trainings ausfüllen, die neben dieser Datei gespeichert sind</translation>
    </message>
    <message>
        <source>Resuming needs the same data, attention, teacher and schedule</source>
        <translation>Zum Fortsetzen sind dieselben Daten, Attention, Lehrer und Trainingsplan nötig</translation>
    </message>
    <message>
        <source>From the checkpoint</source>
        <translation>Aus dem Checkpoint</translation>
    </message>
    <message>
        <source>Checkpoints (*.safetensors *.pth *.pt *.bin);;All files (*)</source>
        <translation>Checkpoints (*.safetensors *.pth *.pt *.bin);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Resume training</source>
        <translation>Training fortsetzen</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Choose another name for the new one.</source>
        <translation>Wählen Sie einen anderen Namen für die neue Datei.</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>videos</source>
        <translation>Videos</translation>
    </message>
    <message>
        <source>images</source>
        <translation>Bilder</translation>
    </message>
    <message>
        <source>ImageNet folders</source>
        <translation>ImageNet-Ordner</translation>
    </message>
    <message>
        <source>Kinetics folders</source>
        <translation>Kinetics-Ordner</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>%1: %2 classes, %3 training %4, </source>
        <translation>%1: %2 Klassen, %3 %4 zum Trainieren, </translation>
    </message>
    <message>
        <source>%1 for validation.</source>
        <translation>%1 zum Validieren.</translation>
    </message>
    <message>
        <source>none for validation.</source>
        <translation>keine zum Validieren.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainMore</name>
    <message>
        <source>Distillation</source>
        <translation>Destillation</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Predictions</source>
        <translation>Vorhersagen</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>Labels</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Landmark-only epochs</source>
        <translation>Nur-Landmark-Epochen</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>Final learning rate</source>
        <translation>Endgültige Lernrate</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>Gradient Clipping</translation>
    </message>
    <message>
        <source>Accumulation steps</source>
        <translation>Akkumulationsschritte</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>Label Smoothing</translation>
    </message>
    <message>
        <source>Drop path</source>
        <translation>Drop Path</translation>
    </message>
    <message>
        <source>EMA decay</source>
        <translation>EMA-Abfall</translation>
    </message>
    <message>
        <source>bfloat16 inside layers</source>
        <translation>bfloat16 in Schichten</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Präzision</translation>
    </message>
    <message>
        <source>train exit heads alone</source>
        <translation>nur Exit-Köpfe trainieren</translation>
    </message>
    <message>
        <source>Early exits</source>
        <translation>Early Exits</translation>
    </message>
    <message>
        <source>A norm and a head behind each block but the last are trained; the network to start from stays as it is, with its attention.</source>
        <translation>Norm und Kopf nach jedem Block außer dem letzten werden trainiert; das Ausgangsnetz mit seiner Attention bleibt, wie es ist.</translation>
    </message>
    <message>
        <source>Augmentation</source>
        <translation>Augmentierung</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>light</source>
        <translation>leicht</translation>
    </message>
    <message>
        <source>DeiT</source>
        <translation>DeiT</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>eigene</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>Rezept</translation>
    </message>
    <message>
        <source>Augmentation of training images: none; crop and flip; or the full DeiT recipe.</source>
        <translation>Augmentierung der Trainingsbilder: keine; Ausschnitt und Spiegelung; oder das vollständige DeiT-Rezept.</translation>
    </message>
    <message>
        <source>Min. crop scale</source>
        <translation>Min. Ausschnitt</translation>
    </message>
    <message>
        <source>Max. crop scale</source>
        <translation>Max. Ausschnitt</translation>
    </message>
    <message>
        <source>Flip</source>
        <translation>Spiegeln</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Magnitude</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Random erasing</source>
        <translation>Random Erasing</translation>
    </message>
    <message>
        <source>Mixup</source>
        <translation>Mixup</translation>
    </message>
    <message>
        <source>CutMix</source>
        <translation>CutMix</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Aufbau</translation>
    </message>
    <message>
        <source>How the folder is organised: one subfolder of images or videos per class, or lists of files.</source>
        <translation>Wie der Ordner aufgebaut ist: ein Unterordner mit Bildern oder Videos je Klasse oder Listen von Dateien.</translation>
    </message>
    <message>
        <source>Validation folder</source>
        <translation>Validierungsordner</translation>
    </message>
    <message>
        <source>Validation set</source>
        <translation>Validierungssatz</translation>
    </message>
    <message>
        <source>Separate folder for validation; empty: use the one inside the data folder.</source>
        <translation>Eigener Ordner zur Validierung; leer: der im Datenordner wird verwendet.</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>Limit</translation>
    </message>
    <message>
        <source>Loader threads</source>
        <translation>Lade-Threads</translation>
    </message>
    <message>
        <source>Landmarks</source>
        <translation>Landmarks</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainPage</name>
    <message>
        <source>Copy as command</source>
        <translation>Als Befehl kopieren</translation>
    </message>
    <message>
        <source>The attnscope-cli command for the same training run</source>
        <translation>Der Befehl von attnscope-cli für dasselbe Training</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Top-1 on the validation set, %</source>
        <translation>Top-1 auf dem Validierungssatz, %</translation>
    </message>
    <message>
        <source>Points appear as training progresses</source>
        <translation>Punkte erscheinen mit dem Fortschritt des Trainings</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Distillation</source>
        <translation>Destillation</translation>
    </message>
    <message>
        <source>Training is in progress; pause or finish it before choosing another folder.</source>
        <translation>Ein Training läuft; pausieren oder beenden Sie es, bevor Sie einen anderen Ordner wählen.</translation>
    </message>
    <message>
        <source>Folder to train on</source>
        <translation>Ordner zum Trainieren</translation>
    </message>
    <message>
        <source>Train %1 with %2</source>
        <translation>%1 mit %2 trainieren</translation>
    </message>
    <message>
        <source>Distil %1 into %2</source>
        <translation>%1 in %2 destillieren</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>validation</source>
        <translation>Validierung</translation>
    </message>
    <message>
        <source>Teacher</source>
        <translation>Lehrer</translation>
    </message>
    <message>
        <source>Before and after distillation</source>
        <translation>Vor und nach der Destillation</translation>
    </message>
    <message>
        <source>on validation samples, compared with the teacher</source>
        <translation>auf Validierungsbeispielen, verglichen mit dem Lehrer</translation>
    </message>
    <message>
        <source>One row per epoch: losses, accuracy, learning rate</source>
        <translation>Eine Zeile je Epoche: Verluste, Genauigkeit, Lernrate</translation>
    </message>
    <message>
        <source>newest epoch first</source>
        <translation>neueste Epoche zuerst</translation>
    </message>
    <message>
        <source>Resume this training run</source>
        <translation>Dieses Training fortsetzen</translation>
    </message>
    <message>
        <source>Train on this folder</source>
        <translation>Auf diesem Ordner trainieren</translation>
    </message>
    <message>
        <source>Softmax weights lose most of their accuracy with Performer; two epochs of distillation, a minute or two, recover most of it. Press F5 to start.</source>
        <translation>Softmax-Gewichte verlieren mit Performer den größten Teil ihrer Genauigkeit; zwei Epochen Destillation, ein bis zwei Minuten, holen das meiste davon zurück. Mit F5 starten.</translation>
    </message>
    <message>
        <source>the settings</source>
        <translation>die Einstellungen</translation>
    </message>
    <message>
        <source>Each epoch writes a self-describing checkpoint; training can be paused between any two steps and resumed after any epoch.</source>
        <translation>Jede Epoche schreibt einen Checkpoint, der sich selbst beschreibt; das Training lässt sich zwischen zwei Schritten pausieren und nach jeder Epoche fortsetzen.</translation>
    </message>
    <message>
        <source>Continue training</source>
        <translation>Training fortsetzen</translation>
    </message>
    <message>
        <source>One sample is an example; the accuracy of the trained network needs all of them.</source>
        <translation>Ein Beispiel ist nur ein Beispiel; für die Genauigkeit des trainierten Netzes braucht es alle.</translation>
    </message>
    <message>
        <source>Evaluate on %1</source>
        <translation>Auf %1 auswerten</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainProgress</name>
    <message>
        <source>%1 percent of all steps</source>
        <translation>%1 Prozent aller Schritte</translation>
    </message>
    <message>
        <source>Progress of the training</source>
        <translation>Fortschritt des Trainings</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Finish this epoch and stop</source>
        <translation>Epoche beenden und stoppen</translation>
    </message>
    <message>
        <source>Compare the checkpoint now</source>
        <translation>Checkpoint jetzt vergleichen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Continues after the last finished epoch, exactly as if training had never stopped.</source>
        <translation>Setzt nach der letzten beendeten Epoche fort, genau so, als wäre das Training nie gestoppt worden.</translation>
    </message>
    <message>
        <source>Continue after this epoch</source>
        <translation>Nach dieser Epoche fortsetzen</translation>
    </message>
    <message>
        <source>Finish epoch</source>
        <translation>Epoche beenden</translation>
    </message>
    <message>
        <source>Training stops once this epoch is saved; click to undo.</source>
        <translation>Das Training stoppt, sobald diese Epoche gespeichert ist; zum Aufheben klicken.</translation>
    </message>
    <message>
        <source>Stops once this epoch is finished, validated and saved; nothing is lost.</source>
        <translation>Stoppt, sobald diese Epoche beendet, validiert und gespeichert ist; nichts geht verloren.</translation>
    </message>
    <message>
        <source>Compare now</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>There is no checkpoint until the first epoch is finished.</source>
        <translation>Es gibt keinen Checkpoint, bis die erste Epoche beendet ist.</translation>
    </message>
    <message>
        <source>Opens %1 as of its last epoch in Compare. Training pauses while it is measured.</source>
        <translation>Öffnet %1 mit dem Stand der letzten Epoche im Vergleich. Das Training pausiert, während gemessen wird.</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht gestartet</translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation>Daten und Gewichte werden geladen</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>Stoppt nach diesem Schritt</translation>
    </message>
    <message>
        <source>Stopped by an error</source>
        <translation>Durch einen Fehler gestoppt</translation>
    </message>
    <message>
        <source>All epochs finished</source>
        <translation>Alle Epochen beendet</translation>
    </message>
    <message>
        <source>Waiting for measurement</source>
        <translation>Wartet auf Messung</translation>
    </message>
    <message>
        <source>%1 · waiting for measurement</source>
        <translation>%1 · wartet auf Messung</translation>
    </message>
    <message>
        <source> · stopping after this epoch</source>
        <translation> · stoppt nach dieser Epoche</translation>
    </message>
    <message>
        <source>Continues with the next step; nothing was lost.</source>
        <translation>Setzt mit dem nächsten Schritt fort; nichts ging verloren.</translation>
    </message>
    <message>
        <source>Waits after this step and keeps it in memory. Closing the window loses the current epoch.</source>
        <translation>Wartet nach diesem Schritt und behält alles im Speicher. Wird das Fenster geschlossen, geht die laufende Epoche verloren.</translation>
    </message>
    <message>
        <source>Stop and lose this epoch</source>
        <translation>Stoppen und Epoche verlieren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Ends this training; Continue then resumes after the last finished epoch.</source>
        <translation>Beendet dieses Training; „Fortsetzen“ macht nach der letzten abgeschlossenen Epoche weiter.</translation>
    </message>
    <message>
        <source>%1 · paused</source>
        <translation>%1 · pausiert</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TrainSession</name>
    <message>
        <source>%1: there is no training state next to it to resume from.</source>
        <translation>%1: Daneben liegt kein Trainingszustand, von dem aus fortgesetzt werden kann.</translation>
    </message>
    <message>
        <source>Training in progress</source>
        <translation>Training läuft</translation>
    </message>
    <message>
        <source>Stopping now loses all training progress because the first epoch is not finished.</source>
        <translation>Wenn Sie jetzt stoppen, geht der gesamte Trainingsfortschritt verloren, weil die erste Epoche nicht beendet ist.</translation>
    </message>
    <message>
        <source>Stopping now loses progress in the current epoch; earlier epochs are kept in %1.</source>
        <translation>Wenn Sie jetzt stoppen, geht der Fortschritt in der aktuellen Epoche verloren; frühere Epochen bleiben in %1 erhalten.</translation>
    </message>
    <message>
        <source>Continue on the Train screen with the same file under “Save to”, or with this command in a terminal:

%1</source>
        <translation>Setzen Sie in der Ansicht „Training“ mit derselben Datei unter „Speichern in“ fort oder mit diesem Befehl in einem Terminal:

%1</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>Stoppen und schließen</translation>
    </message>
    <message>
        <source>clips/s</source>
        <translation>Clips/s</translation>
    </message>
    <message>
        <source>img/s</source>
        <translation>Bilder/s</translation>
    </message>
    <message>
        <source>epoch %1/%2</source>
        <translation>Epoche %1/%2</translation>
    </message>
    <message>
        <source>validating %1/%2</source>
        <translation>Validierung %1/%2</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>%1 % waiting for data</source>
        <translation>%1 % Warten auf Daten</translation>
    </message>
    <message>
        <source>%1 % top-1</source>
        <translation>%1 % Top-1</translation>
    </message>
    <message>
        <source>Loading data and weights</source>
        <translation>Daten und Gewichte werden geladen</translation>
    </message>
    <message>
        <source>Waiting for measurement between two steps</source>
        <translation>Wartet zwischen zwei Schritten auf eine Messung</translation>
    </message>
    <message>
        <source>Stopping after this step</source>
        <translation>Stoppt nach diesem Schritt</translation>
    </message>
    <message>
        <source>Paused before the end of the first epoch</source>
        <translation>Vor dem Ende der ersten Epoche pausiert</translation>
    </message>
    <message>
        <source>Paused after epoch %1 of %2</source>
        <translation>Nach Epoche %1 von %2 pausiert</translation>
    </message>
    <message>
        <source>Training stopped before the end of the first epoch</source>
        <translation>Training vor dem Ende der ersten Epoche gestoppt</translation>
    </message>
    <message>
        <source>Stopped by an error after epoch %1 of %2</source>
        <translation>Nach Epoche %1 von %2 durch einen Fehler gestoppt</translation>
    </message>
    <message>
        <source>; teacher %1 %</source>
        <translation>; Lehrer %1 %</translation>
    </message>
    <message>
        <source>Epoch %1 of %2</source>
        <translation>Epoche %1 von %2</translation>
    </message>
    <message>
        <source>%1: %2 % top-1</source>
        <translation>%1: %2 % Top-1</translation>
    </message>
    <message>
        <source>%1, best so far</source>
        <translation>%1, bisher am besten</translation>
    </message>
    <message>
        <source>%1, best %2 % at epoch %3</source>
        <translation>%1, am besten %2 % bei Epoche %3</translation>
    </message>
    <message>
        <source>%1; teacher %2 %</source>
        <translation>%1; Lehrer %2 %</translation>
    </message>
    <message>
        <source>Teacher: %1</source>
        <translation>Lehrer: %1</translation>
    </message>
    <message>
        <source>%1 training and %2 validation samples, %3 classes</source>
        <translation>%1 Trainings- und %2 Validierungsbeispiele, %3 Klassen</translation>
    </message>
    <message>
        <source>%1 of %2 parameters trained</source>
        <translation>%1 von %2 Parametern trainiert</translation>
    </message>
    <message>
        <source>Training: %1</source>
        <translation>Training: %1</translation>
    </message>
    <message>
        <source>Paused in epoch %1 of %2</source>
        <translation>In Epoche %1 von %2 pausiert</translation>
    </message>
    <message>
        <source>Training paused</source>
        <translation>Training pausiert</translation>
    </message>
    <message>
        <source>The training of %1 was interrupted; its finished epochs are kept.</source>
        <translation>Das Training von %1 wurde unterbrochen; seine beendeten Epochen sind erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%1 epoch(s) finished</source>
        <translation>
            <numerusform>%1 Epoche beendet</numerusform>
            <numerusform>%1 Epochen beendet</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%2 after %1 epoch(s), best at epoch %3</source>
        <translation>
            <numerusform>%2 nach %1 Epoche, am besten bei Epoche %3</numerusform>
            <numerusform>%2 nach %1 Epochen, am besten bei Epoche %3</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>attnscope::ui::TransportBar</name>
    <message>
        <source>Previous frame</source>
        <translation>Vorheriger Frame</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Next frame</source>
        <translation>Nächster Frame</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Loop</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>Next disagreement</source>
        <translation>Nächste Abweichung</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speed ([ and ])</source>
        <translation>Tempo ([ und ])</translation>
    </message>
    <message>
        <source>Prediction interval</source>
        <translation>Abstand der Vorhersagen</translation>
    </message>
    <message>
        <source>Predict every clip</source>
        <translation>Jeden Clip vorhersagen</translation>
    </message>
    <message>
        <source>Playback waits for the predictions instead of skipping clips.</source>
        <translation>Die Wiedergabe wartet auf die Vorhersagen, statt Clips zu überspringen.</translation>
    </message>
    <message>
        <source>Inference progress</source>
        <translation>Fortschritt der Inferenz</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>every %1 s</source>
        <translation>alle %1 s</translation>
    </message>
    <message>
        <source>every frame</source>
        <translation>jeder Frame</translation>
    </message>
    <message>
        <source>every 2nd frame</source>
        <translation>jeder 2. Frame</translation>
    </message>
    <message>
        <source>every %1th frame</source>
        <translation>jeder %1. Frame</translation>
    </message>
    <message>
        <source>Processed %1 %</source>
        <translation>Verarbeitet %1 %</translation>
    </message>
    <message>
        <source>Lag %1 s</source>
        <translation>Verzug %1 s</translation>
    </message>
    <message>
        <source>Dropped 0</source>
        <translation>Verworfen 0</translation>
    </message>
    <message>
        <source>Dropped %1</source>
        <translation>Verworfen %1</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1
Processed: fraction of the scheduled clips that were predicted. Dropped: frames that came too late to be shown.</source>
        <translation>%1
Verarbeitet: Anteil der eingeplanten Clips, die vorhergesagt wurden. Verworfen: Frames, die zu spät zum Anzeigen kamen.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::UnreadableModel</name>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsModel</name>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>centre crop</source>
        <translation>mittlerer Ausschnitt</translation>
    </message>
    <message>
        <source>left crop</source>
        <translation>linker Ausschnitt</translation>
    </message>
    <message>
        <source>top crop</source>
        <translation>oberer Ausschnitt</translation>
    </message>
    <message>
        <source>right crop</source>
        <translation>rechter Ausschnitt</translation>
    </message>
    <message>
        <source>bottom crop</source>
        <translation>unterer Ausschnitt</translation>
    </message>
    <message>
        <source>clip %1 of %2, %3</source>
        <translation>Clip %1 von %2, %3</translation>
    </message>
    <message>
        <source>, at %1 s</source>
        <translation>, bei %1 s</translation>
    </message>
    <message>
        <source>, %1 s to %2 s</source>
        <translation>, %1 s bis %2 s</translation>
    </message>
    <message>
        <source>not run yet</source>
        <translation>noch kein Lauf</translation>
    </message>
    <message>
        <source>could not run</source>
        <translation>nicht ausführbar</translation>
    </message>
    <message>
        <source>mean over the views: %1</source>
        <translation>Mittel über die Views: %1</translation>
    </message>
    <message>
        <source>%1: %2 %3</source>
        <translation>%1: %2 %3</translation>
    </message>
    <message>
        <source>, but top-1 is %1</source>
        <translation>, aber Top-1 ist %1</translation>
    </message>
    <message>
        <source>%1: not predicted yet</source>
        <translation>%1: noch nicht vorhergesagt</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::ViewsPanel</name>
    <message>
        <source>Views</source>
        <translation>Views</translation>
    </message>
    <message>
        <source>Temporal clips times spatial crops</source>
        <translation>Zeitliche Clips mal räumliche Ausschnitte</translation>
    </message>
    <message>
        <source>Temporal clips × spatial crops; published Kinetics-400 accuracies use 10×3</source>
        <translation>Zeitliche Clips × räumliche Ausschnitte; publizierte Genauigkeiten für Kinetics-400 verwenden 10×3</translation>
    </message>
    <message>
        <source>Prediction of each view</source>
        <translation>Vorhersage jedes Views</translation>
    </message>
    <message>
        <source> · time, memory and error are measured on this view</source>
        <translation> · Zeit, Speicher und Fehler werden an diesem View gemessen</translation>
    </message>
    <message>
        <source>Frames appear once the view has been decoded.</source>
        <translation>Frames erscheinen, sobald der View dekodiert ist.</translation>
    </message>
    <message>
        <source>Run the comparison again to see the frames of this view.</source>
        <translation>Führen Sie den Vergleich erneut aus, um die Frames dieses Views zu sehen.</translation>
    </message>
</context>
<context>
    <name>attnscope::ui::Workspace</name>
    <message>
        <source>pasted image %1</source>
        <translation>eingefügtes Bild %1</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>%1 is one of the networks already.</source>
        <translation>%1 ist schon eines der Netze.</translation>
    </message>
    <message>
        <source>%1 was added as network %2.</source>
        <translation>%1 wurde als Netz %2 hinzugefügt.</translation>
    </message>
    <message>
        <source>%1 cannot be compared with %2: one takes clips, the other one images.</source>
        <translation>%1 lässt sich nicht mit %2 vergleichen: Das eine nimmt Clips, das andere Bilder.</translation>
    </message>
</context>
</TS>
